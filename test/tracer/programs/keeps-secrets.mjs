// Has private text in all the places that name a script, publishes what Node never would, and names a resource of its
// own as Node does.
import { AsyncResource } from 'node:async_hooks';
import diagnostics from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const body = 'export default () => new Promise((resolve) => setTimeout(resolve, 5));';
const module = process.argv[2];
writeFileSync(module, body);
const fromData = await import(`data:text/javascript,${encodeURIComponent(`${body} // secret-source`)}`);
await fromData.default();
const fromFile = await import(`${pathToFileURL(module)}?token=secret-query#secret-hash`);
await fromFile.default();
await fetch('http://127.0.0.1:1/secret-url').catch(() => undefined);

class Stream extends AsyncResource {
	write() {
		return true;
	}
}
const { write } = Stream.prototype;
new Stream('ZLIB');
console.log('its own method is left alone:', Stream.prototype.write === write);
for (const name of ['http.server.request.start', 'undici:request:create', 'undici:client:connected']) {
	for (const message of [{}, undefined, { request: 1 }]) diagnostics.channel(name).publish(message);
}
await fromFile.default();
