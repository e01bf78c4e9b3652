import { TransportError } from '../../../client/outcome.ts';
import { makeRegistryClient, type RegistryClient } from '../../../client/registry-client.ts';
import { transmitAll } from '../../../client/transmit-all.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { BODY_EXAMPLES } from '../../../shared/contract/openapi/body-examples.ts';
import {
  acknowledge,
  CREDENTIALS,
  type FakeOptions,
  type FakeRegistry,
  refuse,
  startFakeRegistry,
} from './fake-registry.ts';

const example = BODY_EXAMPLES.transmit?.['jeepney'] as TransmissionBody;
let registry: FakeRegistry;

async function start(options: FakeOptions): Promise<RegistryClient> {
  registry = await startFakeRegistry(options);
  return makeRegistryClient({ ...CREDENTIALS, baseUrl: registry.url, retries: 1 });
}

afterEach(() => registry.close());

function* bodies(
  count: number,
  onTaken: (index: number) => void = () => undefined,
): Generator<TransmissionBody> {
  for (let index = 0; index < count; index += 1) {
    onTaken(index);
    yield { ...example, externalTransactionId: `batch-${String(index).padStart(6, '0')}` };
  }
}

describe('transmitAll', () => {
  it('transmits everything once and reports each outcome with its index in the source', async () => {
    const client = await start({
      answer: (_, index) => acknowledge(201, { status: index % 2 === 0 ? 'ACCEPTED' : 'FLAGGED' }),
    });
    const places: number[] = [];
    const tally = await transmitAll(client, bodies(50), {
      onOutcome: ({ externalTransactionId }, _, index) => {
        expect(externalTransactionId).toBe(`batch-${String(index).padStart(6, '0')}`);
        places.push(index);
      },
    });
    expect(tally).toEqual({ accepted: 25, flagged: 25, rejected: 0, failed: 0, inProgress: 0 });
    expect(places.sort((a, b) => a - b)).toEqual([...Array(50).keys()]);
  });

  it('reads no more from the source than it can send', async () => {
    const client = await start({ answer: () => acknowledge(201) });
    let taken = 0;
    let settled = 0;
    let most = 0;
    await transmitAll(
      client,
      bodies(40, () => (taken += 1)),
      {
        concurrency: 3,
        onOutcome: async () => {
          most = Math.max(most, taken - settled);
          await new Promise((resolve) => setTimeout(resolve, 2));
          settled += 1;
        },
      },
    );
    expect(settled).toBe(40);
    expect(most).toBeLessThanOrEqual(4);
  });

  it('waits for its quota without a limit', async () => {
    const client = await start({
      answer: (_, index) =>
        index < 7 ? refuse('RATE_LIMITED', { headers: { 'retry-after': '0' } }) : acknowledge(201),
    });
    expect(await transmitAll(client, bodies(2), { concurrency: 1 })).toMatchObject({
      accepted: 2,
      failed: 0,
    });
  });

  it('continues after a rejection, and stops when the registry is unreachable', async () => {
    const client = await start({
      answer: (_, index) => {
        if (index === 0) return refuse('VALIDATION_FAILED');
        return index < 5 ? acknowledge(201) : { status: 0, isCut: true };
      },
    });
    const outcomes: boolean[] = [];
    const work = transmitAll(client, bodies(1_000), {
      concurrency: 1,
      onOutcome: (_, { ok }) => void outcomes.push(ok),
    });
    await expect(work).rejects.toThrow(TransportError);
    expect(outcomes).toEqual([false, true, true, true, true]);
  });

  it('stops after the transmissions in flight when its signal aborts', async () => {
    const client = await start({ answer: () => acknowledge(201) });
    const interruption = new AbortController();
    const tally = await transmitAll(client, bodies(1_000), {
      concurrency: 2,
      signal: interruption.signal,
      onOutcome: (_, __, index) => {
        if (index === 9) interruption.abort();
      },
    });
    expect(tally.accepted).toBeGreaterThanOrEqual(10);
    expect(tally.accepted).toBeLessThan(20);
  });
});
