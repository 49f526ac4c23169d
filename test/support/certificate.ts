// A self-signed certificate for loopback, made for each run: a key checked in would expire, and would teach people to
// trust it. Node can make keys and sign, but not write X.509, so the few DER structures are put together here (RFC
// 5280, section 4.1).
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Certificate {
	key: string;
	cert: string;
}

const oid = {
	ecdsaWithSha256: '2a8648ce3d040302',
	commonName: '550403',
	basicConstraints: '551d13',
	subjectAltName: '551d11',
};

/** A certificate for `localhost` and 127.0.0.1 that is its own authority, valid from yesterday for a week. */
export function loopbackCertificate(): Certificate {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const algorithm = sequence(der(0x06, Buffer.from(oid.ecdsaWithSha256, 'hex')));
	const name = sequence(
		der(0x31, sequence(der(0x06, Buffer.from(oid.commonName, 'hex')), der(0x0c, Buffer.from('localhost')))),
	);
	const day = 24 * 60 * 60 * 1000;
	const validity = sequence(time(Date.now() - day), time(Date.now() + 7 * day));
	const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
	const authority = sequence(der(0x01, Buffer.from([0xff])));
	const extensions = sequence(extension(oid.basicConstraints, authority), extension(oid.subjectAltName, names));
	const body = sequence(
		der(0xa0, der(0x02, Buffer.from([2]))),
		// A positive serial number: the leading byte keeps the sign bit clear.
		der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
		algorithm,
		name,
		validity,
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
		der(0xa3, extensions),
	);
	const signature = sign('sha256', body, privateKey);
	const certificate = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
	const base64 = (certificate.toString('base64').match(/.{1,64}/g) ?? []).join('\n');
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
		cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
	};
}

/** One DER value: tag, length, content. */
function der(tag: number, content: Buffer): Buffer {
	const { length } = content;
	const header = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...header]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
	return der(0x30, Buffer.concat(parts));
}

/** GeneralizedTime is only for years from 2050 on, so this is a UTCTime: `YYMMDDHHMMSSZ`. */
function time(ms: number): Buffer {
	const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14);
	return der(0x17, Buffer.from(`${digits}Z`));
}

function extension(id: string, value: Buffer): Buffer {
	return sequence(der(0x06, Buffer.from(id, 'hex')), der(0x04, value));
}
