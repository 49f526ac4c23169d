// Computes in a Worker for the time that it is given, in ms.
module.exports = (ms) => {
	const until = performance.now() + ms;
	while (performance.now() < until);
};
