// Hides `process` for good, as isomorphic libraries' tests do that play a browser; an unhandled rejection comes
// meanwhile.
const real = globalThis.process;
real.on('unhandledRejection', () => real.stdout.write('a rejection\n'));
globalThis.process = undefined;
Promise.reject(new Error('planted'));
setTimeout(() => real.stdout.write('done\n'), 20);
