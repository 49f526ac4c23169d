// Asks for four key pairs in a row, of which Node refuses one for its encoding, and counts the answers.
const { generateKeyPair } = require('node:crypto');

let answers = 0;
let refused = 0;
const options = { namedCurve: 'P-256' };
const refusedOptions = {
	...options,
	privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'none such', passphrase: '' },
};

for (const asked of [options, options, refusedOptions, options]) {
	try {
		generateKeyPair('ec', asked, () => answers++); // → crypto.generateKeyPair threadpool 3
	} catch {
		refused++;
	}
}
process.on('exit', () => console.log(JSON.stringify({ answers, refused })));
