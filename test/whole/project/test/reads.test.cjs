// For jest.
const { readFile } = require('node:fs/promises');

test('reads itself', async () => {
	const text = await readFile(__filename, 'utf8');
	expect(text).toMatch('For jest');
});
