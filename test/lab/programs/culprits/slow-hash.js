// The package `slow-hash`: pure JavaScript that computes at once, or in slices without a function of the user's on the
// stack.
function rounds(state, until) {
	while (process.cpuUsage().user < until) for (let i = 0; i < 10_000; i++) state = (state * 31 + i) | 0; // computes
	return state;
}
exports.slowHash = (text, ms) => rounds(text.length, process.cpuUsage().user + 1000 * ms);
exports.slowHashLater = (text, ms, slices, done) => {
	const next = () => {
		rounds(text.length, process.cpuUsage().user + 1000 * ms);
		if (--slices > 0) setImmediate(next);
		else done();
	};
	setImmediate(next);
};
