// A package computes in slices of its own, as bcryptjs does: no function of the user's is on the stack.
const { slowHashLater } = require('slow-hash');
slowHashLater('password', 150, 6, () => undefined);
