// A package computes for a function of the user's, behind an await.
const fs = require('node:fs/promises');
const { slowHash } = require('slow-hash');
async function login() {
	await fs.readFile(__filename);
	return slowHash('password', 150); // calls
}
(async () => {
	for (let i = 0; i < 6; i++) await login();
})();
