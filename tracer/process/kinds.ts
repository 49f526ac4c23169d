// What the tracer must know of each async_hooks resource type: whether it is recorded and how often its callback comes.
import type { AnyType, ResourceType } from '../../src/protocol/resource-types.ts';
import * as types from '../../src/protocol/resource-types.ts';
import { isWindows } from './platform.ts';

export interface Kind {
	/** Small and dense: an index into the predictor's arrays. */
	readonly index: number;
	readonly type: AnyType;
	/** `operation` is recorded; `carrier` and `ignored` are traits in src/protocol/resource-types.ts. */
	readonly role: 'operation' | 'carrier' | 'ignored';
	// Traits of the same names in src/protocol/resource-types.ts.
	readonly once: boolean;
	readonly isCrypto: boolean;
	readonly isPooled: boolean;
	readonly isSampled: boolean;
	readonly isServer: boolean;
	readonly isChild: boolean;
	readonly isStream: boolean;
	readonly isConnect: boolean;
	readonly isExchange: boolean;
	/** A stream of the system's, which completes a write at once unless its reader is slow. */
	readonly hasReader: boolean;
	/** A child, a stream, a connection or a message port: the recorder examines it more closely when it starts. */
	readonly isHandle: boolean;
	/** Not a type of Node's: an AsyncResource of the program, or an add-on's work. */
	readonly isForeign: boolean;
	/** Only outside events wake it, so each of its callbacks is an operation of this type; null for all other kinds. */
	readonly event: ResourceType | null;
	/** The writer's generation that its type was last written in, and its id there. */
	written: number;
	stringId: number;
}

/** The form of a name that Node gives to a type which the table lacks. */
const NODES_OWN = /^[A-Z0-9_]+$/;

/** Windows completes no write to a pipe at once. */
const READ_ELSEWHERE = isWindows ? /^TCPWRAP$/ : /^(TCP|PIPE)WRAP$/;

/** Maps, because a program may name a resource of its own `constructor`. */
const TRAITS = new Map<string, number>(Object.entries(types.TRAITS));
const EVENTS = new Map<string, ResourceType>(Object.entries(types.EVENT_OF));

/** A program may name any number of AsyncResource types; those after the first 1,000 share one kind. */
const KINDS = 1000;
const kinds = new Map<AnyType, Kind>();

/** The kind of a resource type, made on first sight. */
export function kindOf(type: AnyType): Kind {
	return kinds.get(type) ?? newKind(type);
}

function newKind(type: AnyType): Kind {
	const own = TRAITS.get(type) ?? (types.CRYPTO_NAME.test(type) ? types.CRYPTO_JOB : 0);
	const has = (some: number) => (own & some) !== 0;
	const kind: Kind = {
		index: Math.min(kinds.size, KINDS),
		type,
		role: has(types.CARRIER) ? 'carrier' : has(types.IGNORED) ? 'ignored' : 'operation',
		once: has(types.ONCE),
		isCrypto: has(types.CRYPTO),
		isPooled: has(types.POOLED),
		isSampled: has(types.SAMPLED),
		isServer: has(types.SERVER),
		isChild: has(types.CHILD),
		isStream: has(types.STREAM),
		isConnect: has(types.CONNECT),
		isExchange: has(types.EXCHANGE),
		hasReader: READ_ELSEWHERE.test(type),
		isHandle: has(types.CHILD | types.STREAM | types.CONNECT | types.PORT),
		isForeign: own === 0 && !NODES_OWN.test(type),
		event: EVENTS.get(type) ?? null,
		written: 0,
		stringId: 0,
	};
	if (kinds.size < KINDS) kinds.set(type, kind);
	return kind;
}
