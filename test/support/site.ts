// Sites of starts, for tests of the predictor.
import { internSite, newPositionId, type Site } from '../../tracer/sites/site.ts';

/** The site of a line of the program that has called nothing of Node's by name; each call gives another one. */
export function siteAt(line: number): Site {
	const position = {
		script: 'program.js',
		line,
		column: 1,
		functionName: '',
		functionLine: 1,
		functionColumn: 1,
		written: 0,
	};
	return internSite({ ...position, id: newPositionId() }, null, null, false, false);
}
