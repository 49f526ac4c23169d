// What all programs work on.
import { inParts } from './parts.ts';

const items = Array.from({ length: 12 }, (_, n) => ({ n }));
console.log(inParts(items, 5).length);
