/** Why the suite cannot run on this machine, and what would help, in one sentence: a reason to skip it, not a failure of the tracer. */
export class Unavailable extends Error {}
