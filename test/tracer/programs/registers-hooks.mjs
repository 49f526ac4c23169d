// Registers module hooks, for which Node starts a thread of its own.
import { register } from 'node:module';

register('data:text/javascript,export const resolve = (name, context, next) => next(name, context)');
await import('node:url');
console.log('imported');
