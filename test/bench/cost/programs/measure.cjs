// CPU time of the main thread from `measure()` to the call of what it returns, which prints it per unit of work. Of the main
// thread alone, for the pool's threads sleep and wake more or less often as chance has it; where the system does not tell it
// (it is in proc(5), schedstat, in ns, on Linux), of the whole process.
const fs = require('node:fs');

const SCHEDSTAT = `/proc/self/task/${process.pid}/schedstat`;

function cpuUs() {
	if (process.platform === 'linux') return Number(fs.readFileSync(SCHEDSTAT, 'latin1').split(' ')[0]) / 1000;
	const { user, system } = process.cpuUsage();
	return user + system;
}

exports.measure = () => {
	const from = cpuUs();
	return (units) => console.log(JSON.stringify({ usPerUnit: (cpuUs() - from) / units }));
};
