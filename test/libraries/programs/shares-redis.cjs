// Commands of node-redis: many over one connection that is answered in order, behind a command that blocks it, before there is a connection and while it
// is lost, and over a pool whose only client others have. Prints how long each took, as far as the program can see it. REDISPORT names the server's port, and
// STAYS_MS says how long it stays at its end.
const { createClient, createClientPool } = require('redis');

const COMMANDS = 5;
const socket = { host: '127.0.0.1', port: Number(process.env.REDISPORT) };
const now = () => performance.now();

function report(what, from) {
	console.log(`${what}: ${from.toFixed(3)} to ${now().toFixed(3)} ms`);
}

/** Starts several at once. */
const several = (start) => Promise.all(Array.from({ length: COMMANDS }, start));

/** On the server: busy for 20 ms. */
const BUSY =
	"local t = redis.call('TIME'); local from = t[1] * 1e6 + t[2]; repeat t = redis.call('TIME') until t[1] * 1e6 + t[2] > from + 20000";

async function asks(client) {
	const from = now();
	await client.eval(BUSY); // each answer in its turn
	report('shared', from);
}

async function blocks(client) {
	const from = now();
	await client.blPop('empty', 0.1); // blocks the connection
	report('blocks', from);
}

async function asksBehind(client) {
	const from = now();
	await client.get('key'); // behind it
	report('behind', from);
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

async function asksPool(pool) {
	const from = now();
	await pool.eval(BUSY); // over the pool
	report('pool', from);
}

async function holdsClient(pool) {
	const from = now();
	// for a client of the pool ↓
	await pool.execute(async (client) => {
		report('waited', from);
		await client.eval(BUSY); // with a client of the pool
	});
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
	await several(() => asks(client));
	await Promise.all([blocks(client), ...Array.from({ length: COMMANDS }, () => asksBehind(client))]);
	await asksTogether(client);
	const other = createClient({ socket });
	await other.connect();
	await loses(client, other);
	await Promise.all([client.close(), other.close()]);

	const pool = createClientPool({ socket }, { minimum: 1, maximum: 1 });
	await pool.connect();
	await several(() => asksPool(pool));
	await several(() => holdsClient(pool));
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
	const blocked = createClient({ socket });
	await blocked.connect();
	await blocked.get('key');
	blocked.blPop('empty', 0); // has no answer
	await several(async () => {
		blocked.get('key'); // behind what has no answer
	});
	// The client writes in an immediate; a timer counts from when the loop began its turn.
	setImmediate(() => setImmediate(stay, now()));
}

main();
