import { setTimeout as sleep } from 'node:timers/promises';
import type { VehicleBody } from '../../../shared/contract/machine/transmission.ts';
import { makePlainVehicle } from '../../env/api/bodies.ts';
import type { Random } from '../random.ts';
import { makeRandom } from '../random.ts';
import type { ClientName, World } from '../world.ts';
import { ask, type Family, type Learnt } from './ask.ts';
import type { Call } from './coverage-rules.ts';
import { drawCall, drawTransmit, type Known } from './draw-call.ts';
import type { Operation } from './linearizable.ts';

/** What some clients asked at the same time about a few vehicles, and what they were told. */
export interface History {
  /** One a family: no call is about two. */
  readonly families: readonly (readonly Operation<Call, string>[])[];
  readonly unknown: number;
}

export interface HistorySizes {
  readonly callsEach: number;
  /** How long a client waits for an outcome before it goes on without. */
  readonly patienceMs: number;
}

const CLIENTS_AT_ONCE = 8;
const FAMILIES = 4;
/** In a hundred, the client does not wait for the answer and never learns it. */
const ABANDONED_PERCENT = 3;
const PAUSE_MS_MAX = 12;

const INSURERS: readonly { readonly clientName: ClientName; readonly name: string }[] = [
  { clientName: 'alpha', name: 'Alpha Insurance' },
  { clientName: 'bravo', name: 'Bravo Insurance' },
  { clientName: 'charlie', name: 'Charlie Insurance' },
  { clientName: 'insurer-01', name: 'insurer-01' },
];

export async function recordHistory(
  world: World,
  random: Random,
  { callsEach, patienceMs }: HistorySizes,
): Promise<History> {
  const families = Array.from({ length: FAMILIES }, makeFamily);
  const clients = Array.from({ length: CLIENTS_AT_ONCE }, async (_, index) => {
    // Of its own, so that nobody's answers change what another draws.
    const draws = makeRandom(random.below(2 ** 31));
    const insurer = INSURERS[index % INSURERS.length];
    if (insurer === undefined) return;
    for (let calls = 0; calls < callsEach; calls += 1) {
      // All begin with the same few, which nobody knows yet.
      const family = calls === 0 ? families[index % 2] : draws.pick(families);
      if (family === undefined) return;
      const call =
        calls === 0
          ? drawTransmit(draws, insurer.name)
          : drawCall(draws, insurer.name, family.known);
      await record(world, draws, insurer.clientName, family, call, patienceMs);
      await sleep(draws.below(PAUSE_MS_MAX));
    }
  });
  await Promise.all(clients);
  const recorded = families.map(({ operations }) => operations);
  const unknown = recorded.flat().filter(({ to }) => to === Infinity).length;
  return { families: recorded, unknown };
}

interface RecordedFamily extends Family {
  readonly known: Known;
  readonly operations: Operation<Call, string>[];
}

function makeFamily(): RecordedFamily {
  const values: [VehicleBody, VehicleBody] = [makePlainVehicle(), makePlainVehicle()];
  return {
    values,
    plates: new Map(),
    references: new Map(),
    known: { sent: [], registered: [] },
    operations: [],
  };
}

async function record(
  world: World,
  random: Random,
  clientName: ClientName,
  family: RecordedFamily,
  call: Call,
  patienceMs: number,
): Promise<void> {
  const { known, operations } = family;
  const insurer = call.op === 'transmit' ? call.insurer : undefined;
  const isAbandoned = 'key' in call && call.op !== 'look up' && random.percent(ABANDONED_PERCENT);
  const options = {
    patienceMs,
    waitSeconds: random.percent(50) ? 0 : Math.min(10, patienceMs / 1_000),
    ...(isAbandoned ? { signal: AbortSignal.timeout(random.below(40)) } : {}),
  };
  const from = performance.now();
  if (insurer !== undefined && call.op === 'transmit') known.sent.push({ key: call.key, insurer });
  const learnt: Learnt | undefined = await ask(world.client(clientName), family, call, options);
  const to = learnt === undefined ? Infinity : performance.now();
  operations.push({ call, from, to, result: learnt?.result });
  if (learnt?.reference === undefined || call.op !== 'transmit') return;
  family.references.set(call.key, learnt.reference);
  known.registered.push({ key: call.key, insurer: call.insurer });
}
