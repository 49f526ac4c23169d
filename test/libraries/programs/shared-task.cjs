// Computes in a Worker for as long as it is told, in ms.
module.exports = (ms) => {
	const until = performance.now() + ms;
	while (performance.now() < until);
};
