/**
 * For a suite whose programs mostly wait, and of which no time is compared with a clock: this many of its tests run at the same time. More would
 * keep the processors from the editor, which runs beside them.
 */
export const SIDE_BY_SIDE = { concurrency: 2 };
