// Runs with --unhandled-rejections=strict: handles what it rejects, twice in one turn, before and after its main script.
process.on('uncaughtException', (error) => console.log('uncaught', error.message));
process.on('unhandledRejection', () => console.log('unhandled'));

function reject(...words) {
	for (const word of words) Promise.reject(new Error(word));
}

reject('first', 'second');
setTimeout(reject, 20, 'third', 'fourth');
setTimeout(console.log, 60, 'the end');
