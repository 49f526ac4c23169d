// What each finding is called in English: in the panel, and as a heading of the walkthrough.
import type { FindingCode } from '../../../src/protocol/report.ts';

export const FINDING_TITLES: Record<FindingCode, string> = {
	'pool-saturated': 'Thread pool saturated',
	'dns-starved': 'Name lookups starved',
	'loop-blocked': 'Event loop blocked',
	'pool-size-too-late': 'Pool size set too late',
	'sync-in-callback': 'Synchronous call in a callback',
	'requests-blocked': 'Requests that wait for callbacks',
	'timers-late': 'Late timers',
	'leaked-connection': 'Connections that are not given back',
	'too-few-connections': 'Too few connections',
	'agent-starved': 'HTTP agent without a free socket',
	'earlier-command': 'Requests behind an earlier one',
	'n-plus-one': 'Many queries for one request',
	'awaits-together': 'Awaits that could run together',
	'serial-loop': 'Loop that waits for each item',
	'slow-reader': 'Slow reader',
	'unbounded-concurrency': 'Unbounded concurrency',
};
