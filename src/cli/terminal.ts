// What the stream to which the report is printed supports.

export interface Terminal {
	/** Characters in a line. */
	columns: number;
	hasColours: boolean;
}

/**
 * A stream that is no terminal gets a fixed width and no colours; NO_COLOR (no-color.org) removes them from a terminal
 * too.
 */
export function terminalOf(stream: NodeJS.WriteStream): Terminal {
	return {
		columns: stream.isTTY ? Math.max(40, stream.columns) : 100,
		hasColours: stream.isTTY === true && !process.env.NO_COLOR && stream.getColorDepth() > 1,
	};
}
