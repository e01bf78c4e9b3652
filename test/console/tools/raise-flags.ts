import { readClientFile } from '../../../client/cli/credentials.ts';
import { makeRegistryClient } from '../../../client/registry-client.ts';
import { transmitAll } from '../../../client/transmit-all.ts';
import { makeBody, makeVehicle } from '../../env/api/bodies.ts';
import type { DemoRegistry } from './demo-registry.ts';

const CONCURRENCY = 8;

/** Registers this many certificates whose vehicles the reference data does not know: each raises a flag. */
export async function raiseFlags({ url, clientsFile }: DemoRegistry, count: number): Promise<void> {
  const alpha = readClientFile(clientsFile).find(({ name }) => name === 'alpha');
  if (alpha === undefined) throw new Error('the demonstration has no client alpha');
  const bodies = Array.from({ length: count }, () => makeBody({ vehicles: [makeVehicle()] }));
  await transmitAll(makeRegistryClient({ ...alpha, baseUrl: url }), bodies, {
    concurrency: CONCURRENCY,
    onOutcome: (_body, { ok, error }) => {
      if (!ok) throw new Error(`refused: ${error.message}`);
    },
  });
}
