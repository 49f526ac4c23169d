// The same with a connection for each question.
process.argv[2] = '10';
require('./too-few-connections.cjs');
