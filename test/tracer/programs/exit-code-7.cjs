// Ends by itself with exit code 7.
setTimeout(() => {
	console.log('seven');
	process.exitCode = 7;
}, 5);
