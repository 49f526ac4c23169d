// fastify, which answers with JSON.
const app = require('fastify')();

app.get('/', async () => ({ hello: 'world' }));
app.listen({ host: '127.0.0.1', port: 0 }).then(() => console.log(app.server.address().port));
