// Shows whether the user's own NODE_OPTIONS took effect: a preload, a shorter stack, a condition for `require`.
console.log(Error.stackTraceLimit);
console.log(typeof globalThis.gc);
