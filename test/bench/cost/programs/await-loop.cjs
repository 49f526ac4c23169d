// Three awaits of settled promises per unit: nothing to record, so nothing to pay.
const { measure } = require('./measure.cjs');

async function unit() {
	await null;
	await null;
	await null;
}
(async () => {
	const end = measure();
	const units = 400_000;
	for (let i = 0; i < units; i++) await unit();
	end(units);
})();
