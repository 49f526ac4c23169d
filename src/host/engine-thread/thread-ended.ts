// A thread of ours that ended before its work was done.

export class ThreadEnded extends Error {
	constructor() {
		super('Waitline’s own thread has ended by itself.');
		this.name = 'ThreadEnded';
	}
}
