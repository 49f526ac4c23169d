// Sends stdin to stdout as it comes, and counts it on stderr.
let bytes = 0;
process.stdin.on('data', (chunk) => {
	bytes += chunk.length;
});
process.stdin.on('end', () => console.error(`${bytes} bytes`));
process.stdin.pipe(process.stdout);
