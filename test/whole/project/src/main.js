// The same without types.
import { inParts } from './parts.js';

const items = Array.from({ length: 12 }, (_, n) => ({ n }));
console.log(inParts(items, 5).length);
