// A callback that comes 600 times and starts its operation on one line at first, and on another later.
function often(turn) {
	if (turn < 300) setImmediate(() => 'at first');
	else setImmediate(() => 'later');
	if (turn < 599) setTimeout(often, 0, turn + 1);
}
setTimeout(often, 1, 0);
