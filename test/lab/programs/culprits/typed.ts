// Is compiled with a source map before it runs.
import { readFile } from 'node:fs/promises';

interface Row {
	id: number;
	name: string;
}

class Report {
	readonly rows: Row[] = [];

	// Types and comments that leave the compiled text shift its lines.
	build(until: number): number {
		let sum = 0;
		while (process.cpuUsage().user < until) sum += this.rows.reduce((all: number, { id }: Row): number => all + id, 0); // computes
		return sum;
	}
}

async function handle(report: Report): Promise<number> {
	await readFile(__filename);
	return report.build(process.cpuUsage().user + 150_000); // calls
}

async function main(): Promise<void> {
	const report = new Report();
	for (let id = 0; id < 20_000; id++) report.rows.push({ id, name: `row ${id}` });
	for (let i = 0; i < 6; i++) await handle(report);
}
void main();
