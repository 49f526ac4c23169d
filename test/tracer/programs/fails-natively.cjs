// Every way in which a synchronous or asynchronous call of Node fails in native code, one after the other: what it throws or hands over is printed.
const crypto = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Worker, MessageChannel } = require('node:worker_threads');
const childProcess = require('node:child_process');
const dgram = require('node:dgram');
const net = require('node:net');
const tls = require('node:tls');
const vm = require('node:vm');
const zlib = require('node:zlib');

const missing = path.join(os.tmpdir(), 'no such folder', 'no such file');
const rsa = crypto.generateKeyPairSync('rsa', { modulusLength: 1024 });
const pair = (options) => ({
	modulusLength: 1024,
	publicKeyEncoding: { type: 'spki', format: 'pem' },
	privateKeyEncoding: { type: 'pkcs8', format: 'pem', ...options },
});

// Made once: with one of each run, the wrong passphrase gives something that looks like a key now and then, and another error with it.
const lockedKey = `-----BEGIN ENCRYPTED PRIVATE KEY-----
MIH0MF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBALVKa42t8NCNoDA5Cn
Nw7pAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBAgQQiz8ByAsPimWpIXFn
2+A9CwSBkPX+nTdZOgiADhMr1UbdglW4vB76jkiN5bWp3Hjn6ksRd+ScqpaZF055
yxMRzI5rMj2rjKBoK6CBwnsS03LQyLMuiNTOFML1MQYrWOmy0syq/5apziaQlksG
FuMrh4ykbGP5RQDJEcd7y6kzMUaDCgoIqztz9HoBvJAHi5u87BdYSnW1VylyfN4q
nEi+Y807xA==
-----END ENCRYPTED PRIVATE KEY-----`;

const calls = {
	'key pair, unknown cipher': () => crypto.generateKeyPairSync('rsa', pair({ cipher: 'foo', passphrase: 'x' })),
	'key pair, unknown cipher, callback': () =>
		crypto.generateKeyPair('rsa', pair({ cipher: 'foo', passphrase: 'x' }), () => undefined),
	'key pair, no passphrase': () => crypto.generateKeyPairSync('rsa', pair({ cipher: 'aes-128-cbc' })),
	'key pair, encryption of pkcs1 DER': () =>
		crypto.generateKeyPairSync('rsa', pair({ type: 'pkcs1', format: 'der', cipher: 'aes-128-cbc', passphrase: 'x' })),
	'key pair, unknown curve': () => crypto.generateKeyPairSync('ec', { namedCurve: 'no-such-curve' }),
	'key pair, unknown group': () => crypto.generateKeyPairSync('dh', { group: 'modp0' }),
	'key pair, unknown digest': () =>
		crypto.generateKeyPairSync('rsa-pss', {
			modulusLength: 1024,
			hashAlgorithm: 'no-such',
			mgf1HashAlgorithm: 'no-such',
		}),
	'key pair, too small': () => crypto.generateKeyPairSync('rsa', { modulusLength: 1 }),
	'key pair that works': () => crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.type,
	'export, unknown cipher': () =>
		rsa.privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'foo', passphrase: 'x' }),
	'export, unknown type': () => rsa.publicKey.export({ type: 'sec1', format: 'pem' }),
	'private key, no key': () => crypto.createPrivateKey('no key'),
	'private key, wrong passphrase': () => crypto.createPrivateKey({ key: lockedKey, passphrase: 'y' }),
	'public key, no key': () => crypto.createPublicKey(Buffer.alloc(10)),
	'secret key, too long': () => crypto.generateKeySync('hmac', { length: 2 ** 31 }),
	'sign, no key': () => crypto.sign('sha256', Buffer.alloc(1), 'no key'),
	'sign, unknown digest': () => crypto.sign('no-such', Buffer.alloc(1), rsa.privateKey),
	'sign, callback': () => crypto.sign('no-such', Buffer.alloc(1), rsa.privateKey, () => undefined),
	'verify, no key': () => crypto.verify('sha256', Buffer.alloc(1), 'no key', Buffer.alloc(1)),
	'scrypt, too much memory': () => crypto.scryptSync('a', 'b', 64, { N: 2 ** 20, maxmem: 1024 }),
	'scrypt, N is no power of two': () => crypto.scryptSync('a', 'b', 64, { N: 3 }),
	'pbkdf2, unknown digest': () => crypto.pbkdf2Sync('a', 'b', 1, 1, 'no-such'),
	'hkdf, too long': () => crypto.hkdfSync('sha1', 'a', 'b', 'c', 2 ** 20),
	'hash, unknown': () => crypto.createHash('no-such'),
	'cipher, unknown': () => crypto.createCipheriv('no-such', 'a', 'b'),
	'cipher, wrong key': () => crypto.createCipheriv('aes-128-cbc', 'a', 'b'),
	'decipher, wrong end': () => crypto.createDecipheriv('aes-128-cbc', Buffer.alloc(16), Buffer.alloc(16)).final(),
	'prime, wrong options': () => crypto.generatePrimeSync(8, { rem: 5n }),
	'private encryption, too long': () => crypto.privateEncrypt(rsa.privateKey, Buffer.alloc(1000)),
	'Diffie-Hellman, other groups': () =>
		crypto.diffieHellman({
			privateKey: crypto.generateKeyPairSync('x25519').privateKey,
			publicKey: crypto.generateKeyPairSync('x448').publicKey,
		}),
	'certificate, none': () => new crypto.X509Certificate('none'),
	'TLS context, no key': () => tls.createSecureContext({ key: 'none', cert: 'none' }),
	'TLS context, no ciphers': () => tls.createSecureContext({ ciphers: 'no-such' }),
	'TLS, no ALPN': () => tls.connect({ port: 1, host: '127.0.0.1', ALPNProtocols: ['x'.repeat(300)] }),
	'inflate, garbage': () => zlib.inflateSync(Buffer.from('garbage')),
	'gunzip, cut off': () => zlib.gunzipSync(zlib.gzipSync('a'.repeat(100)).subarray(0, 20)),
	'brotli, garbage': () => zlib.brotliDecompressSync(Buffer.from('garbage')),
	'deflate, unknown level': () => zlib.deflateSync('a', { level: 77 }),
	'inflate, too long': () => zlib.inflateSync(zlib.deflateSync('a'.repeat(1e5)), { maxOutputLength: 10 }),
	'read, missing': () => fs.readFileSync(missing),
	'open, missing': () => fs.openSync(missing, 'wx'),
	'read a closed descriptor': () => fs.readSync(9999, Buffer.alloc(1)),
	'stat, missing': () => fs.statSync(missing),
	'list, missing': () => fs.readdirSync(missing),
	'open a folder, missing': () => fs.opendirSync(missing),
	'watch, missing': () => fs.watch(missing),
	'copy, missing': () => fs.copyFileSync(missing, missing),
	'remove, missing': () => fs.rmSync(missing),
	'a path with a zero': () => fs.readFileSync('a\0b'),
	'spawn, missing': () => childProcess.spawnSync(missing).error?.code,
	'spawn, missing, child': () => childProcess.spawn(missing).on('error', ({ code }) => console.log('child', code)).pid,
	'spawn in a missing folder': () => childProcess.execFileSync(process.execPath, ['-v'], { cwd: missing }),
	'spawn, wrong user': () => childProcess.spawnSync(process.execPath, ['-v'], { uid: -2 }),
	'exec that fails': () => childProcess.execSync('exit 3', { stdio: 'ignore' }),
	'Worker, unknown option': () => new Worker('', { eval: true, execArgv: ['--no-such-option'] }),
	'Worker, cannot clone': () => new Worker('', { eval: true, workerData: () => undefined }),
	'message, cannot clone': () => new MessageChannel().port1.postMessage(() => undefined),
	'structured clone': () => structuredClone(() => undefined),
	'transfer twice': () => {
		const { port1, port2 } = new MessageChannel();
		port1.close();
		port2.postMessage(0, [port2]);
	},
	'listen on a wrong address': () =>
		net
			.createServer()
			.listen({ port: 0, host: '127.0.0.1', fd: 9999 })
			.on('error', () => undefined).listening,
	'connect, wrong port': () => net.connect(70000),
	'bind a wrong descriptor': () => dgram.createSocket('udp4').bind({ fd: 9999 }),
	'socket of no type': () => dgram.createSocket('udp9'),
	'code that ends in the middle': () =>
		vm.runInNewContext('while (true) f()', { f: () => setTimeout(() => undefined).unref() }, { timeout: 5 }),
	'code that does not compile': () => new vm.Script('this is none'),
};

function outcome(call) {
	try {
		return `returns ${typeof call()}`;
	} catch (error) {
		return `throws ${error.code ?? error.name}: ${String(error.message).split('\n')[0]}`;
	}
}
process.on('uncaughtException', ({ code, message }) => console.log('later:', code, message.split('\n')[0]));
for (const [what, call] of Object.entries(calls)) console.log(`${what}: ${outcome(call)}`);
setTimeout(() => process.exit(), 300);
