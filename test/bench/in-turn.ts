import { measureRegistry } from './cells/registration.ts';
import type { Size } from './load/certificates.ts';
import { untilQuiet } from './measure/processes.ts';
import type { Sample } from './measure/sample.ts';
import { type Build, buildIn, type Registry, type Shape } from './processes.ts';
import { describePaired } from './report/paired.ts';
import { withWorld } from './with-world.ts';
import type { World } from './world.ts';

export interface InTurnOptions {
  readonly shape: Shape;
  readonly vehicles: Size;
  readonly rounds: number;
  readonly workers: number;
}

interface Load {
  readonly items: number;
  readonly warmUpItems: number;
  readonly connections: number;
}

/**
 * One measurement. So little that the machine, whose speed changes by the minute, is the same for all builds of a round: many
 * such rounds tell three hundredths apart where a few long ones tell nothing.
 */
const LOADS: Readonly<Record<Size, Load>> = {
  1: { items: 1_000, warmUpItems: 200, connections: 16 },
  500: { items: 60, warmUpItems: 15, connections: 4 },
};
/** Rounds that don't count: what processes still compile would be taken for what they cost. */
const ROUNDS_BEFORE = 3;

/**
 * Measures registrations of several builds in turn, in another order each round, and says what the others do beside the
 * first. Each has processes and a database of its own, which the present sources make: a build of sources with
 * other migrations can't be measured. Returns the exit code: 1 when a build is missing or a round was wrong.
 */
export async function runInTurn(
  folders: readonly string[],
  { shape, vehicles, rounds, workers }: InTurnOptions,
): Promise<number> {
  const built: Built[] = [];
  for (const folder of folders) {
    const build = buildIn(folder);
    if (build === undefined)
      print(`nothing is built in ${folder}: npm run build && mv dist ${folder}`);
    else built.push({ folder, build, samples: [] });
  }
  const [first] = built;
  if (first === undefined || built.length < folders.length) return 1;
  const report = (): void => void process.stdout.write(`${describePaired(built)}\n`);
  const { build } = first;
  return withWorld({ build, workers, onBreak: report }, async (world) => {
    const competitors = await startEach(world, built, shape);
    for (let round = 1 - ROUNDS_BEFORE; round <= rounds; round += 1) {
      const isRight = await measureEach(
        world,
        round % 2 === 0 ? competitors : competitors.toReversed(),
        { vehicles, round },
      );
      if (!isRight) return 1;
    }
    report();
    return 0;
  });
}

interface Built {
  readonly folder: string;
  readonly build: Build;
  /** Of the rounds that count. */
  readonly samples: Sample[];
}

interface Competitor extends Built {
  readonly registry: Registry;
}

async function startEach(
  world: World,
  built: readonly Built[],
  shape: Shape,
): Promise<Competitor[]> {
  const started: Competitor[] = [];
  for (const one of built) {
    const database = await world.database(`bench_in_turn_${started.length + 1}`);
    const registry = await world.start({ shape, database, build: one.build });
    started.push({ ...one, registry });
    await untilQuiet(registry.watched);
  }
  return started;
}

/** False when one was wrong. */
async function measureEach(
  { servers }: World,
  competitors: readonly Competitor[],
  { vehicles, round }: { readonly vehicles: Size; readonly round: number },
): Promise<boolean> {
  for (const { folder, registry, samples } of competitors) {
    const sample = await measureRegistry(servers, registry, { vehicles, ...LOADS[vehicles] });
    const faults = sample.faults.map((fault) => `  WRONG: ${fault}`).join('');
    print(`round ${round}  ${folder}  ${sample.perSecond.toFixed(1)}/s${faults}`);
    if (faults !== '') return false;
    if (round > 0) samples.push(sample);
  }
  return true;
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
