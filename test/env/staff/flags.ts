import type { FlagItem } from '../../../shared/contract/staff/flags.ts';
import { makeVehicle } from '../api/bodies.ts';
import type { Stack } from '../api/stack.ts';
import { listPage } from './lists.ts';
import { registerAs } from './records.ts';
import type { StaffBrowser } from './staff.ts';

export const FLAGS = '/admin/v1/flags';

/** The flag of a new record whose only vehicle is not in the reference data. */
export async function raiseFlag(
  stack: Stack,
  browser: StaffBrowser,
  changes: Parameters<typeof registerAs>[2] = {},
  insurerCode: 'INS-ALPHA' | 'INS-BRAVO' = 'INS-ALPHA',
): Promise<FlagItem> {
  const { registryReference } = await registerAs(stack, insurerCode, {
    vehicles: [makeVehicle()],
    ...changes,
  });
  const path = `${FLAGS}?registryReference=${registryReference}`;
  const [flag] = (await listPage<FlagItem>(browser, path)).items;
  if (flag === undefined) throw new Error('no flag is listed');
  return flag;
}

export async function flagIds(browser: StaffBrowser, query: string): Promise<string[]> {
  const { items } = await listPage<FlagItem>(browser, `${FLAGS}?limit=200&${query}`);
  return items.map(({ id }) => id);
}
