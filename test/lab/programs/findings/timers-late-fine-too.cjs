// Four timers that are late once, all behind one computation: that is the computation's finding.
for (let k = 0; k < 4; k++) setTimeout(() => undefined, 100);
setTimeout(() => {
	const end = performance.now() + 300;
	while (performance.now() < end);
}, 50);
