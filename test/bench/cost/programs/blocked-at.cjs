// blocked-at as its users have it: required first, with a function to call.
require('blocked-at')(() => undefined);
