// Calls of well-known clients that certainly only read: a GET of an HTTP client, a SELECT of a database's pool, a command of Redis that changes nothing. What
// is sent over a pool has no order among itself; over one connection (a transaction, a client) it may have, so nothing is said of that.
import type { AnyNode, CallExpression, Node } from 'acorn';
import type { ScriptTree } from './script-tree.ts';

/** Clients whose function asks, given an address alone, and methods that do. */
const HTTP_CLIENTS: Record<string, { isFunction: boolean; methods: RegExp; makes: RegExp }> = {
	axios: { isFunction: true, methods: /^(?:get|head)$/, makes: /^create$/ },
	got: { isFunction: true, methods: /^(?:get|head)$/, makes: /^extend$/ },
	ky: { isFunction: true, methods: /^(?:get|head)$/, makes: /^(?:create|extend)$/ },
	'node-fetch': { isFunction: true, methods: /^(?!)/, makes: /^(?!)/ },
	superagent: { isFunction: false, methods: /^(?:get|head)$/, makes: /^(?!)/ },
	undici: { isFunction: false, methods: /^(?:fetch|request)$/, makes: /^(?!)/ },
};
/** What `undici` exports under these names asks as well. */
const ASKING = /^(?:fetch|request)$/;
/** Options that change nothing of what a GET is. */
const HARMLESS_OPTIONS = /^(?:headers|params|query|responseType|searchParams|signal|timeout)$/;

/** What makes a pool: `new Pool()` of pg, `createPool()` of mysql2. */
const POOLS: Record<string, RegExp> = {
	pg: /^Pool$/,
	'pg-pool': /^/,
	mysql2: /^createPool$/,
	'mysql2/promise': /^createPool$/,
};
/** Of pools for which the program does not say how many. */
const CONNECTIONS = 10;
const SELECT = /^\s*select\s/i;
/** What locks rows, writes, or begins another statement. */
const CHANGES = /;\s*\S|\b(?:for\s+(?:no\s+key\s+)?(?:update|share|key)|into|insert|update|delete|lock|call)\b/i;
/** Functions of SQL without effects: any other may be one of the database's own. */
const FUNCTION = /\b([a-z_]\w*)\s*\(/gi;
const HARMLESS_FUNCTION =
	/^(?:abs|all|and|any|array_agg|as|avg|between|by|cast|ceil|coalesce|concat|count|date_trunc|distinct|except|exists|extract|filter|floor|from|generate_series|group_concat|having|ifnull|in|intersect|is|join|json_agg|json_build_object|jsonb_agg|jsonb_build_object|lateral|left|length|limit|lower|ltrim|max|min|not|now|nullif|offset|on|or|over|partition|rank|replace|right|round|row_number|rtrim|select|string_agg|substr|substring|sum|then|to_char|trim|union|unnest|upper|using|values|when|where|with)$/i;

/** Of ioredis and redis. */
const REDIS = /^(?:ioredis|redis)$/;
const READING_COMMANDS =
	/^(?:exists|get|hexists|hget|hgetall|hkeys|hlen|hmget|hvals|lindex|llen|lrange|mget|pttl|scard|sismember|smembers|strlen|ttl|type|zcard|zrange|zrank|zscore)$/i;

/** Whether a call certainly only reads. What it is given has to be looked at besides. @param chain of its callee: `a.b.c` as its names */
export function isReadingClient(tree: ScriptTree, call: CallExpression, chain: readonly string[]): boolean {
	const [root, method, ...more] = chain;
	if (root === undefined || more.length > 0) return false;
	const value = tree.fixedValue(root) as AnyNode | null;
	if (value === null) return false;
	return isHttp(tree, call, root, value, method) || (method !== undefined && isOfPool(tree, call, value, method));
}

/** How many such calls of a pool run at once: it has as many connections. Null for what is no pool's, or a pool with a number that is not in the text. */
export function atOnce(tree: ScriptTree, [root]: readonly string[]): number | null {
	const value = root === undefined ? null : (tree.fixedValue(root) as AnyNode | null);
	const made = value === null ? null : makerOf(tree, value);
	if (made === null || POOLS[made.from]?.test(made.name) !== true) return null;
	let most: number | null = CONNECTIONS;
	tree.walk(value, (node) => {
		if (node.type !== 'Property' || node.key.type !== 'Identifier' || !/^(?:max|connectionLimit)$/.test(node.key.name))
			return;
		most = node.value.type === 'Literal' && typeof node.value.value === 'number' ? node.value.value : null;
	});
	return most;
}

function isHttp(tree: ScriptTree, call: CallExpression, root: string, value: AnyNode, method?: string): boolean {
	const own = packageOf(value);
	const made = own === null ? makerOf(tree, value) : null;
	const client = HTTP_CLIENTS[own ?? ''];
	const maker = made === null ? undefined : HTTP_CLIENTS[made.from];
	if (!asksPlainly(call)) return false;
	if (client === undefined)
		return maker?.makes.test(made!.name) === true && (method === undefined || maker.methods.test(method));
	if (method !== undefined) return client.methods.test(method);
	return own === 'undici' ? ASKING.test(root) : client.isFunction;
}

/** An address, and options that make nothing else of it. */
function asksPlainly({ arguments: [address, options, ...more] }: CallExpression): boolean {
	if (
		address === undefined ||
		address.type === 'SpreadElement' ||
		address.type === 'ObjectExpression' ||
		more.length > 0
	)
		return false;
	if (options === undefined) return true;
	if (options.type !== 'ObjectExpression') return false;
	return options.properties.every((each) => {
		return (
			each.type === 'Property' &&
			!each.computed &&
			each.key.type === 'Identifier' &&
			HARMLESS_OPTIONS.test(each.key.name)
		);
	});
}

function isOfPool(tree: ScriptTree, call: CallExpression, value: AnyNode, method: string): boolean {
	const made = makerOf(tree, value);
	if (made === null) return false;
	if (REDIS.test(made.from)) return READING_COMMANDS.test(method);
	return (
		POOLS[made.from]?.test(made.name) === true && /^(?:execute|query)$/.test(method) && isSelect(call.arguments[0])
	);
}

function isSelect(text: Node | undefined): boolean {
	const node = text as AnyNode | undefined;
	let sql = '';
	if (node?.type === 'Literal' && typeof node.value === 'string') sql = node.value;
	else if (node?.type === 'TemplateLiteral') {
		// What is put into it may be any text.
		if (node.expressions.length > 0) return false;
		sql = node.quasis[0]!.value.cooked ?? '';
	}
	const bare = sql.replace(/'(?:[^']|'')*'|--.*$/gm, "''");
	if (!SELECT.test(bare) || CHANGES.test(bare)) return false;
	return [...bare.matchAll(FUNCTION)].every(([, name]) => HARMLESS_FUNCTION.test(name!));
}

/** The package, and what of it has made a value: `new Pool()`, `new pg.Pool()`, `axios.create()`; the package's own name for `new Redis()`. */
function makerOf(tree: ScriptTree, value: AnyNode): { from: string; name: string } | null {
	if (value.type !== 'NewExpression' && value.type !== 'CallExpression') return null;
	const callee = value.callee as AnyNode;
	const [object, property] =
		callee.type === 'MemberExpression' && !callee.computed && callee.property.type === 'Identifier'
			? [callee.object as AnyNode, callee.property.name]
			: [callee, null];
	if (object.type !== 'Identifier') return null;
	const of = tree.fixedValue(object.name) as AnyNode | null;
	const from = of === null ? null : packageOf(of);
	return from === null ? null : { from, name: property ?? object.name };
}

/** The package that is imported or required there; null for anything else. */
function packageOf(value: AnyNode): string | null {
	if (value.type === 'ImportDeclaration') return String(value.source.value);
	if (value.type === 'MemberExpression') return packageOf(value.object as AnyNode);
	if (value.type !== 'CallExpression' || value.callee.type !== 'Identifier' || value.callee.name !== 'require')
		return null;
	const [name] = value.arguments;
	return name?.type === 'Literal' && typeof name.value === 'string' ? name.value : null;
}
