import type { RegistryClient } from '../../client/registry-client.ts';
import { makeSampleBatch } from './sample-batch.ts';
import { externalIdOf, type SampleRun } from './sample-certificates.ts';
import type { SampleItem } from './sample-item.ts';
import type { ItemOutcome } from './transmit-batch.ts';

export interface ClaimedRun {
  readonly run: SampleRun;
  /** The registered item that claimed the run. */
  readonly first: ItemOutcome;
  /** The rest of the batch. */
  readonly items: readonly SampleItem[];
}

/**
 * Claims the first run that has not been started, by registering its first certificate, so that two concurrent
 * demonstrations get different runs. The client must be that of the batch's first item.
 */
export async function claimRun(registry: RegistryClient, today: string): Promise<ClaimedRun> {
  for (let number = 1; ; number += 1) {
    const known = await registry.readTransmission(externalIdOf(number, 1));
    if (known.ok) continue;
    if (known.error.code !== 'NOT_FOUND')
      throw new Error(`${known.error.code}: ${known.error.message}`);
    const run = { number, today };
    const [item, ...items] = makeSampleBatch(run);
    if (item === undefined) throw new Error('The sample batch is empty.');
    const outcome = await registry.transmitAndWait(item.body);
    const { ok, data, error } = outcome;
    if (ok && !data.replayed) return { run, first: { item, outcome }, items };
    if (!ok && error.code !== 'IDEMPOTENCY_KEY_REUSED') {
      throw new Error(`The first certificate was not registered: ${error.code}, ${error.message}`);
    }
  }
}
