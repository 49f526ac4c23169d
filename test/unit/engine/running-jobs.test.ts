// The jobs that run, against a plain list of them; and that none is searched for among a thousand.
import assert from 'node:assert/strict';
import test from 'node:test';
import { RunningJobs } from '../../../src/engine/pool/running-jobs.ts';
import { random } from '../../support/random.ts';

class Job {
	static looks = 0;
	readonly user: string;
	readonly isSlow: boolean;
	private runs = false;

	constructor(user: string, isSlow: boolean) {
		this.user = user;
		this.isSlow = isSlow;
	}

	get isRunning(): boolean {
		Job.looks++;
		return this.runs;
	}

	set isRunning(runs: boolean) {
		this.runs = runs;
	}
}

test('the running jobs give the same answers as a plain list of them', () => {
	for (let seed = 1; seed <= 50; seed++) {
		const next = random(seed);
		const running = new RunningJobs<string, Job>();
		const list: Job[] = [];
		for (let step = 0; step < 500; step++) {
			const share = step < 250 ? 0.7 : 0.3;
			const isSlow = next() < 0.4;
			if (next() < share) {
				const job = new Job(next() < 0.05 ? 'other' : 'one', isSlow);
				running.add(job);
				list.push(job);
			} else if (list.length > 0) {
				const last = list.findLast((job) => job.isSlow === isSlow);
				const [job] = next() < 0.3 && last ? list.splice(list.indexOf(last), 1) : list.splice(next() * list.length, 1);
				running.remove(job!);
				// One that was put back runs again.
				if (job === last && next() < 0.5) {
					running.add(job!);
					list.push(job!);
				}
			}
			const seen = new Set<Job>();
			running.each((job) => seen.add(job));
			assert.deepEqual(seen, new Set(list));
			for (const slow of [false, true])
				assert.equal(
					running.lastOf(slow),
					list.findLast((job) => job.isSlow === slow),
				);
			for (const user of ['one', 'other'])
				assert.equal(
					running.areAllOf(user),
					list.every((job) => job.user === user),
				);
		}
	}
});

test('putting a job back and running another among a thousand touches few', () => {
	const running = new RunningJobs<string, Job>();
	for (let n = 0; n < 1024; n++) running.add(new Job('one', n % 2 === 0));
	Job.looks = 0;
	const rounds = 10_000;
	for (let round = 0; round < rounds; round++) {
		running.remove(running.lastOf(round % 2 === 0)!);
		assert.ok(running.areAllOf('one'));
		running.add(new Job('one', round % 2 === 0));
	}
	assert.ok(Job.looks <= rounds * 4, `${Job.looks} looks`);
});
