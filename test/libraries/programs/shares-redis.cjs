// Commands of node-redis: many over one connection that is answered in order, behind a command that blocks it, before there is a connection and while it
// is lost, and over a pool whose only client others have. Prints how long each took, as far as the program can see it, and how long it must have taken at
// least, wherever the machine stopped meanwhile: what it waits for begins no sooner than `since`. REDISPORT names the server's port, and STAYS_MS says how
// long it stays at its end.
const { createClient, createClientPool } = require('redis');

const COMMANDS = 5;
const socket = { host: '127.0.0.1', port: Number(process.env.REDISPORT) };
const now = () => performance.now();

/** @param due when it is over at the earliest @param by the wait had begun by then */
function report(what, from, due = 0, by = from) {
	console.log(`${what}: ${from.toFixed(3)} to ${now().toFixed(3)} ms, at least ${(due - by).toFixed(3)} ms`);
}

/** Starts several at once. Each is given when that was, and how many are before it. */
function several(start) {
	const since = now();
	return Promise.all(Array.from({ length: COMMANDS }, (_, before) => start(since, before)));
}

/** When what was asked for in this turn was written: the client does that in an immediate, which comes before this one. */
function written() {
	const at = { by: Infinity };
	setImmediate(() => {
		at.by = now();
	});
	return at;
}

/** For how long the server is busy: long enough that no stop of the machine outlasts several. */
const BUSY_MS = 50;
const BUSY = `local t = redis.call('TIME'); local from = t[1] * 1e6 + t[2]; repeat t = redis.call('TIME') until t[1] * 1e6 + t[2] > from + ${BUSY_MS * 1000}`;
/**
 * For how long it blocks, and the least that this is where its timer is not exact. The answer may have waited for a CPU, and of a wait that is not ten times
 * as long as an answer takes otherwise nothing is said: this is much longer than both on a busy machine.
 */
const BLOCK_MS = 600;
const LEAST_BLOCK_MS = 595;

async function asks(client, since, before) {
	const from = now();
	const asked = client.eval(BUSY); // each answer in its turn
	const at = written();
	await asked;
	report('shared', from, since + (before + 1) * BUSY_MS, at.by);
}

async function blocks(client) {
	const from = now();
	await client.blPop('empty', BLOCK_MS / 1000); // blocks the connection
	report('blocks', from, from + LEAST_BLOCK_MS);
}

async function asksBehind(client, since) {
	const from = now();
	const asked = client.get('key'); // behind it
	const at = written();
	await asked;
	report('behind', from, since + LEAST_BLOCK_MS, at.by);
}

async function asksTogether(client) {
	const from = now();
	await client.multi().set('a', '1').incr('a').get('a').exec(); // together
	report('together', from);
}

async function asksEarly(client) {
	const from = now();
	await client.get('key'); // before there is a connection
	report('early', from);
}

async function asksPool(pool, since, before) {
	const from = now();
	const asked = pool.eval(BUSY); // over the pool
	const by = now();
	await asked;
	report('pool', from, since + (before + 1) * BUSY_MS, by);
}

async function holdsClient(pool, since, before) {
	const from = now();
	let by;
	// for a client of the pool ↓
	const over = pool.execute(async (client) => {
		report('waited', from, since + before * BUSY_MS, by ?? now());
		await client.eval(BUSY); // with a client of the pool
	});
	by = now();
	await over;
}

async function grows(pool) {
	const from = now();
	await pool.eval(BUSY); // over a new connection
	report('new', from);
}

async function loses(client, other) {
	const id = await client.clientId();
	const from = now();
	const lost = client.blPop('empty', 0).catch(() => report('lost', from)); // never answered
	// Its answer may come when the client is connected again.
	const killed = other.sendCommand(['CLIENT', 'KILL', 'ID', String(id)]);
	await lost;
	const again = now();
	await client.get('key'); // until it is connected again
	report('again', again);
	await killed;
}

/** Ends the program not before that time. */
function stay(from) {
	if (now() - from >= Number(process.env.STAYS_MS)) process.exit();
	setTimeout(stay, 10, from);
}

async function main() {
	const client = createClient({ socket }).on('error', () => undefined);
	const connected = client.connect();
	await asksEarly(client);
	await connected;
	// So that it shows how fast the server answers.
	for (let n = 0; n < COMMANDS; n++) await client.get('key');
	await several((...when) => asks(client, ...when));
	const since = now();
	const blocked = blocks(client);
	await several(() => asksBehind(client, since));
	await blocked;
	await asksTogether(client);
	const other = createClient({ socket });
	await other.connect();
	await loses(client, other);
	await Promise.all([client.close(), other.close()]);

	const pool = createClientPool({ socket }, { minimum: 1, maximum: 1 });
	await pool.connect();
	await several((...when) => asksPool(pool, ...when));
	await several((...when) => holdsClient(pool, ...when));
	await pool.close();
	const growing = createClientPool({ socket }, { minimum: 1, maximum: COMMANDS, cleanupDelay: 60_000 });
	await growing.connect();
	await several(() => grows(growing));
	await growing.close();

	// Never given back.
	const leaking = createClientPool({ socket }, { minimum: 1, maximum: 1, acquireTimeout: 0 });
	await leaking.connect();
	leaking.execute(() => new Promise(() => undefined));
	leaking.get('key'); // for good
	const stuck = createClient({ socket });
	await stuck.connect();
	await stuck.get('key');
	stuck.blPop('empty', 0); // has no answer
	await several(async () => {
		stuck.get('key'); // behind what has no answer
	});
	// The client writes in an immediate; a timer counts from when the loop began its turn.
	setImmediate(() => setImmediate(stay, now()));
}

main();
