// blocked-at as its users have it: required first, told where to call.
require('blocked-at')(() => undefined);
