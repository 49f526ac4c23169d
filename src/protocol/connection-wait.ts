// Names of waits in a library's own queue until a connection is free: no function of Node's stands behind them.

/** Until a pool has a connection to give. */
export const POOL_CONNECTION = 'pool connection';
/** Until it is its turn on a connection, or that is open. */
export const CONNECTION_QUEUE = 'connection queue';
