// What is searched for in a script's text by its syntax tree: a bundle of its own with the parser, loaded for the first script that may have something to find.
export { AwaitOrder } from './await-order.ts';
export { SyncCalls } from './sync-calls.ts';
