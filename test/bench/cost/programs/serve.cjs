// npm's static file server, as its command line starts it, on the files of this folder. It prints its address.
const { join } = require('node:path');

process.argv.push('-L', '-l', 'tcp://127.0.0.1:0', __dirname);
import(join(__dirname, 'node_modules', 'serve', 'build', 'main.js'));
