// For later.cjs.
const fs = require('node:fs');

module.exports = () => {
	fs.stat(__filename, done);
	fs.readFile(__filename, done);
};

function done(error) {
	if (error) throw error;
}
