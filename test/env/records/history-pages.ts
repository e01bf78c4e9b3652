import { ANSWER_BYTES_MAX } from '../../../shared/contract/machine/bounds.ts';
import type { RecordWorld } from './record-world.ts';

export interface HistoryPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  readonly total: number;
}

/** Reads as a demonstration client and expects an answer within the limit of D33. */
export async function readAs<Data>(
  world: RecordWorld,
  client: string,
  path: string,
): Promise<Data> {
  const answer = await world.get(client, path);
  expect({ path, status: answer.status }).toEqual({ path, status: 200 });
  expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(ANSWER_BYTES_MAX);
  return answer.envelope.data as unknown as Data;
}

/** Reads all pages of a list as `alpha`. */
export async function walkPages<Item>(
  world: RecordWorld,
  path: string,
  limit = 200,
): Promise<{ items: Item[]; total: number }> {
  const items: Item[] = [];
  let total = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const separator = path.includes('?') ? '&' : '?';
    const address = `${path}${separator}limit=${limit}${next}`;
    const page: HistoryPage<Item> = await readAs(world, 'alpha', address);
    items.push(...page.items);
    ({ total, nextCursor: cursor } = page);
    expect({ path, isEndless: items.length > total }).toEqual({ path, isEndless: false });
  }
  return { items, total };
}
