// A request waited longer for one of the sockets that its HTTP agent allows (`maxSockets`) than for its answer.
import { AGENT_SOCKET } from '../../protocol/connection-wait.ts';
import { connectionWaitRule } from './connection-wait.ts';

export const agentStarved = connectionWaitRule('agent-starved', AGENT_SOCKET, 'waited for a socket of its HTTP agent');
