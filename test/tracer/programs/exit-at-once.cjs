// Leaves at once, with work under way: neither the timer nor the file may keep it running.
const fs = require('node:fs');

setTimeout(() => console.log('never'), 60_000);
fs.readFile(__filename, () => console.log('never'));
process.on('exit', (code) => console.log(`leaving with ${code}`));
console.log('said before');
process.exit();
