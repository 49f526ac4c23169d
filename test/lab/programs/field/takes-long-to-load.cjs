const end = process.cpuUsage().user + 400_000;
while (process.cpuUsage().user < end) for (let i = 0; i < 100_000; i++) Math.sqrt(i);
module.exports = 'heavy';
