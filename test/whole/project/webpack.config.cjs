module.exports = {
	mode: 'production',
	entry: './src/main.js',
	output: { path: `${__dirname}/packed`, filename: 'main.js' },
};
