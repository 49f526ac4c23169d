// A thread of ours that ended before it had done its work.

export class ThreadEnded extends Error {
	constructor() {
		super('Waitline’s own thread has ended by itself.');
		this.name = 'ThreadEnded';
	}
}
