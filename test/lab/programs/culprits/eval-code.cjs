// Code that the program compiles itself, as validators of schemas do: the line that calls it is what counts.
const fs = require('node:fs/promises');
const validate = new Function('text', 'return /^(\\w+\\s?)*$/.test(text)');
const text = `${'a'.repeat(18)}!`;
function check(until) {
	const all = JSON.parse('[]');
	while (process.cpuUsage().user < until) all.push(validate(text)); // computes
	return all;
}
(async () => {
	for (let i = 0; i < 6; i++) {
		await fs.stat(__filename);
		check(process.cpuUsage().user + 150_000); // calls
	}
})();
