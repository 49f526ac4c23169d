// Node's own HTTP server, which says hello.
const http = require('node:http');

const server = http.createServer((_request, response) => response.end('hello'));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
