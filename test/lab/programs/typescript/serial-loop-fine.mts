// Each item is at the address that the answer before has.
import { run } from '../findings/asks-itself.cjs';

interface Page {
	url: string;
}

async function serve(store: string): Promise<Page[]> {
	const pages: Page[] = [];
	let next: string | undefined = `${store}/1`;
	for (const id of [1, 2, 3, 4, 5, 6, 7, 8] satisfies number[]) {
		const answer: Response = await fetch(`${next!}?${id}`);
		const page = (await answer.json()) as Page;
		pages.push(page);
		next = `${store}${page.url}`;
	}
	return pages;
}

run({ serve, changed: serve }, 100);
