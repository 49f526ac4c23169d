// Percentiles and totals against the plainest way to compute them: sort everything.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Distribution } from '../../../src/engine/common/distribution.ts';

function truth(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.max(1, Math.ceil(share * values.length)) - 1] ?? 0;
}

/** Values over six decades, without a random source. */
function spread(count: number): number[] {
	return Array.from({ length: count }, (_, i) => 10 ** (1 + ((i * 7919) % count) / (count / 5)));
}

for (const count of [1, 2, 5, 64, 65, 1000, 20_000]) {
	test(`${count} values: exact total and maximum, percentiles within 1 %`, () => {
		const values = spread(count);
		const distribution = new Distribution();
		for (const value of values) distribution.add(value);
		assert.equal(distribution.count, count);
		assert.ok(Math.abs(distribution.total - values.reduce((a, b) => a + b)) < 1e-6 * distribution.total);
		assert.equal(distribution.max, Math.max(...values));
		for (const share of [0.01, 0.5, 0.95, 0.99, 1]) {
			const expected = truth(values, share);
			const found = distribution.percentile(share);
			assert.ok(
				Math.abs(found - expected) <= expected * (count <= 64 ? 0 : 0.011),
				`p${share * 100}: ${found}, not ${expected}`,
			);
		}
	});
}

for (const values of [4, 40]) {
	test(`${values} values that came several times each are those values as often`, () => {
		const once = new Distribution();
		const together = new Distribution();
		for (let value = 1; value <= values; value++) {
			for (let i = 0; i < value; i++) once.add(1000 * value);
			together.add(1000 * value, value);
		}
		assert.deepEqual(
			[together.count, together.total, together.max, together.percentiles([0.1, 0.5, 0.9, 1])],
			[once.count, once.total, once.max, once.percentiles([0.1, 0.5, 0.9, 1])],
		);
	});
}

test('adding up two distributions is the same as adding all their values to one', () => {
	for (const [left, right] of [
		[10, 20],
		[10, 5000],
		[5000, 10],
		[5000, 5000],
	] as const) {
		const values = spread(left + right);
		const whole = new Distribution();
		const parts = [new Distribution(), new Distribution()] as const;
		for (const [i, value] of values.entries()) {
			whole.add(value);
			parts[i < left ? 0 : 1].add(value);
		}
		parts[0].addAll(parts[1]);
		assert.equal(parts[0].count, whole.count);
		assert.equal(parts[0].max, whole.max);
		for (const share of [0.5, 0.95]) assert.equal(parts[0].percentile(share), whole.percentile(share));
	}
});

test('nothing added: zeros, not NaN', () => {
	const distribution = new Distribution();
	assert.deepEqual(
		[distribution.count, distribution.total, distribution.max, distribution.percentile(0.5)],
		[0, 0, 0, 0],
	);
});
