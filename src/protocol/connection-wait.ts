// Names of waits in a queue of JavaScript, a library's or Node's, until a connection is free: no function of Node's stands behind them.

/** Until a pool has a connection to give. */
export const POOL_CONNECTION = 'pool connection';
/** Until it is its turn on a connection, or that is open. */
export const CONNECTION_QUEUE = 'connection queue';
/** Until an HTTP agent that has all its `maxSockets` in use has one for the request. */
export const AGENT_SOCKET = 'agent socket';
