// Never waits: its loop is busy with what each operation costs.
function again() {
	setImmediate(again);
}
again();
