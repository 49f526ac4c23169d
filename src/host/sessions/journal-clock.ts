/** The clock of the journals, in µs. */
export function nowUs(): number {
	return Number(process.hrtime.bigint() / 1000n);
}
