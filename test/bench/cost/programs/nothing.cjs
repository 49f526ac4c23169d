// How long it took to come here, and with how much memory.
console.log(JSON.stringify({ startMs: performance.now(), rss: process.memoryUsage.rss() }));
