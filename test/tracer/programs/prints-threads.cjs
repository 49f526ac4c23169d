// Prints the names of its threads (Linux).
const fs = require('node:fs');
const tasks = fs.readdirSync('/proc/self/task');
console.log(tasks.map((task) => fs.readFileSync(`/proc/self/task/${task}/comm`, 'utf8').trim()).join());
