// The awaits of ../findings that could run together, in TypeScript, which Node runs itself. What it loads first takes so long that stack samples show the
// functions around, also those that a compiler has put there: they have no place in this text.
require('../field/takes-long-to-load.cjs');
const { run } = require('../findings/asks-itself.cjs') as {
	run(ways: Record<'serve' | 'changed', Serve>, ms: number): void;
};

type Serve = (store: string) => Promise<unknown[]>;

async function serve(store: string): Promise<unknown[]> {
	const user = await fetch(`${store}/user`);
	const orders = await ordersOf<number>(store, 7);
	const news = (await fetch(`${store}/news`))!;
	return [await user.json(), orders, await news.json()];
}

async function ordersOf<Id extends number>(this: void, store: string, id: Id): Promise<unknown> {
	const answer: Response = await fetch(`${store}/orders/${id as number}`);
	if (!answer.ok) throw new Error('no orders');
	return answer.json();
}

run({ serve, changed: serve }, 200);
