// A line waited longer for a connection of a library's pool than for the answer to what it then sent over it: all
// connections were in use.
import { POOL_CONNECTION } from '../../protocol/connection-wait.ts';
import { connectionWaitRule } from './connection-wait.ts';

export const tooFewConnections = connectionWaitRule(
	'too-few-connections',
	POOL_CONNECTION,
	'waited for a free connection',
);
