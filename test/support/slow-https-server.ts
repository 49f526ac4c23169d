// The remote host of seed 2: an HTTPS server on loopback that answers after a planted delay. It runs in the test's own
// process, which is not traced, and counts connections so that a test knows what the program really did.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loopbackCertificate } from './certificate.ts';
import { scratchFolder } from './scratch.ts';

export interface SlowServer {
	port: number;
	/** A file for NODE_EXTRA_CA_CERTS. */
	authority: string;
	/** Connections since the last call. */
	takeConnections(): number;
	close(): Promise<void>;
}

export async function slowHttpsServer(delayMs: number): Promise<SlowServer> {
	const certificate = loopbackCertificate();
	const authority = join(scratchFolder(), 'authority.pem');
	writeFileSync(authority, certificate.cert);
	let connections = 0;
	const server = createServer(certificate, (_request, response) => {
		setTimeout(() => response.end('well, after the delay\n'), delayMs);
	});
	server.on('secureConnection', () => connections++);
	await new Promise<void>((resolve, reject) => {
		server.on('error', reject);
		server.listen(0, '127.0.0.1', resolve);
	});
	return {
		port: (server.address() as AddressInfo).port,
		authority,
		takeConnections() {
			const count = connections;
			connections = 0;
			return count;
		},
		close() {
			server.closeAllConnections();
			return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
		},
	};
}
