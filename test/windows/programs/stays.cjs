// Stays until Ctrl-C ends it.
setInterval(() => undefined, 600_000);
console.log('ready');
