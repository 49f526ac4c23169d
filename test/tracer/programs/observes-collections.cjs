// Collects its garbage just before and just after it begins to observe collections, and prints which ones it receives.
const { PerformanceObserver, performance } = require('node:perf_hooks');
const v8 = require('node:v8');
const vm = require('node:vm');

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');

// The tracer begins to observe with the first operation.
setTimeout(() => undefined, 1);
collect();
const observer = new PerformanceObserver((list) => {
	const times = list.getEntriesByType('gc').map(({ startTime }) => startTime);
	console.log(`heard of collections from before: ${times.some(isEarlier)}, since: ${!times.every(isEarlier)}`);
	observer.disconnect();
	clearInterval(alive);
	console.log(Object.getOwnPropertyNames(PerformanceObserver.prototype));
});
observer.observe({ entryTypes: ['gc'] });
const since = performance.now();
const isEarlier = (time) => time < since;
collect();
// Until the entries have come.
const alive = setInterval(() => undefined, 1000);
