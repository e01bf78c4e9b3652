import { strict as assert } from 'node:assert';
import { ENDPOINTS } from '../../../shared/contract/machine/endpoints.ts';
import type { CollectionRunner } from '../collection-runners.ts';
import type { RegistryAccess } from '../driven-client.ts';

/** Runs a collection as it is generated. Every request must be answered, and none may be refused for its signature. */
export async function checkCollection(
  runner: CollectionRunner,
  folder: string,
  access: RegistryAccess,
): Promise<void> {
  const statuses = await runner.run(folder, access);
  const names = Object.values(ENDPOINTS).map(({ summary }) => summary);
  assert.deepEqual([...statuses.keys()].sort(), [...names].sort());
  const refused = [...statuses].filter(([, status]) => status === 401 || status >= 500);
  assert.deepEqual(refused, []);
  const transmitted = statuses.get(ENDPOINTS.transmit.summary);
  // The second collection sends the same certificate again.
  assert(transmitted === 201 || transmitted === 200, `the certificate was answered ${transmitted}`);
  assert.equal(statuses.get(ENDPOINTS.readRecord.summary), 200);
}
