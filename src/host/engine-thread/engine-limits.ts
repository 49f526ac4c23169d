// What a thread with the engine may take of the process in which it runs.

/**
 * Its memory for new objects is limited, in MiB: while much data comes in, V8 enlarges it again and again, to 48 MiB and
 * more, and gives it back slowly. With this limit the engine is as fast (test/bench/RESULTS.md), and the extension
 * host's memory stays flat.
 */
export const ENGINE_LIMITS = { maxYoungGenerationSizeMb: 12 };
