// Dies of an error in a callback; the trace on stderr must have our frames only.
const fs = require('node:fs');

fs.stat(__filename, function afterStat() {
	throw new TypeError('planted');
});
