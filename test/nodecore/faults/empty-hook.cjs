// A hook that does nothing: what differs with it differs by async_hooks, and with every tracer that stands on them.
require('node:async_hooks')
	.createHook({ init: () => undefined })
	.enable();
