// The serial loop of ../findings in TypeScript, which Node runs itself. What comes before its loop is nothing that JavaScript has.
import { run } from '../findings/asks-itself.cjs';

interface Item<Id extends number = number> {
	readonly id: Id;
	name?: string;
}
type Read = (store: string) => Promise<Item[]>;
declare const NEVER_SET: unique symbol;

const IDS = [1, 2, 3, 4, 5, 6, 7, 8] as const satisfies readonly number[];

const serve: Read = async (store: string): Promise<Item[]> => {
	const items: Item[] = [];
	for (const id of IDS as readonly number[]) {
		const answer = (await fetch(`${store}/${id}`)) as Response;
		items.push((await answer.json()) as Item);
	}
	return items;
};

const changed: Read = async (store) =>
	Promise.all(IDS.map(async (id): Promise<Item> => (await fetch(`${store}/${id}`)).json()));

run({ serve, changed }, 100);
