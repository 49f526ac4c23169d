// An add-on's work is the first and only thing in the pool.
const bcrypt = require('bcrypt');

for (let i = 0; i < 4; i++) bcrypt.hash('password', 4);
