// Names of waits that are not for a function of Node's: in a queue of JavaScript, a library's or Node's, until a connection is free, and for
// whoever is at the other end of one.

/** Until a pool has a connection to give. */
export const POOL_CONNECTION = 'pool connection';
/** Until it is its turn on a connection, or that is open. */
export const CONNECTION_QUEUE = 'connection queue';
/** Until the answer has come to what was sent before over the same connection, which is answered in order. */
export const EARLIER_COMMAND = 'earlier command';
/** Until an HTTP agent that has all its `maxSockets` in use has one for the request. */
export const AGENT_SOCKET = 'agent socket';
/** Until the other end of a connection or pipe has read enough for the system to take what was written. */
export const READER = 'reader';
/** From when the head of an answer has come to a client until all of its body has. */
export const RESPONSE_BODY = 'response body';
/** Until the thread at the other end, which may be busy, takes a message that was posted to it. */
export const WORKER = 'posted message';
