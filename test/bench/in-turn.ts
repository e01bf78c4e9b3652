import { measureSmall, SHORT_DUMP } from './cells/pool-dump.ts';
import { measureRegistry } from './cells/registration.ts';
import { prepareToSettle } from './cells/sharing.ts';
import type { Size } from './load/certificates.ts';
import { untilQuiet } from './measure/processes.ts';
import { type Sample, UNWATCHED } from './measure/sample.ts';
import { type Build, buildIn, type Shape } from './processes.ts';
import { describePaired, type SamplesOfEntrant } from './report/paired.ts';
import { withWorld } from './with-world.ts';
import type { World } from './world.ts';

export interface InTurnOptions {
  readonly shape: Shape;
  readonly vehicles: Size;
  /** A small insurer beside a dump instead of registrations. */
  readonly small: boolean;
  /** Workers that drain backlogs of so many organizations instead; several are compared with each other, too. */
  readonly organizations: readonly number[] | undefined;
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
/** Of a backlog: a few dozen batches. */
const SETTLED_ITEMS = 2_000;
/** Rounds that don't count: what processes still compile would be taken for what they cost. */
const ROUNDS_BEFORE = 3;
/** Here the processes of each measurement are new and warm up within it; the first fills the databases. */
const SMALL_ROUNDS_BEFORE = 1;
const SMALL_SCALE = { factor: 0.5, isQuick: false };

/**
 * Measures several builds in turn, or backlogs of several numbers of organizations, in another order each round, and says
 * what the others do beside the first. Each has processes and a database of its own, which the present sources make: a build of sources with
 * other migrations can't be measured. Returns the exit code: 1 when a build is missing or a round was wrong.
 */
export async function runInTurn(
  folders: readonly string[],
  options: InTurnOptions,
): Promise<number> {
  const built: Built[] = [];
  for (const folder of folders) {
    const build = buildIn(folder);
    if (build === undefined)
      print(`nothing is built in ${folder}: npm run build && mv dist ${folder}`);
    else built.push({ folder, build });
  }
  const [first] = built;
  if (first === undefined || built.length < folders.length) return 1;
  const entrants = enter(built, options);
  const report = (): void => void process.stdout.write(`${describePaired(entrants)}\n`);
  const { build } = first;
  return withWorld({ build, workers: options.workers, onBreak: report }, async (world) => {
    const competitors = await prepareEach(world, entrants);
    const roundsBefore = options.small ? SMALL_ROUNDS_BEFORE : ROUNDS_BEFORE;
    for (let round = 1 - roundsBefore; round <= options.rounds; round += 1) {
      const isRight = await measureEach(
        round % 2 === 0 ? competitors : competitors.toReversed(),
        round,
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
}

interface Entrant extends SamplesOfEntrant {
  readonly prepare: (world: World, databaseName: string) => Promise<() => Promise<Sample>>;
  /** Of the rounds that count. */
  readonly samples: Sample[];
}

interface Competitor extends Entrant {
  readonly measure: () => Promise<Sample>;
}

function enter(built: readonly Built[], options: InTurnOptions): Entrant[] {
  const { organizations: counts, shape } = options;
  if (counts === undefined)
    return built.map(({ folder, build }) => ({
      name: folder,
      samples: [],
      prepare: (world, databaseName) => prepare(world, build, databaseName, options),
    }));
  return built.flatMap(({ folder, build }) =>
    counts.map((organizations) => ({
      name: `${folder}, ${organizations} organization${organizations === 1 ? '' : 's'}`,
      samples: [],
      prepare: async (world, databaseName) => {
        const settle = await prepareToSettle(world, { shape, databaseName, build });
        return () => settle({ organizations, items: SETTLED_ITEMS, bounds: UNWATCHED });
      },
    })),
  );
}

async function prepareEach(world: World, entrants: readonly Entrant[]): Promise<Competitor[]> {
  const competitors: Competitor[] = [];
  for (const one of entrants) {
    const measure = await one.prepare(world, `bench_in_turn_${competitors.length + 1}`);
    competitors.push({ ...one, measure });
  }
  return competitors;
}

async function prepare(
  world: World,
  build: Build,
  databaseName: string,
  { shape, vehicles, small }: InTurnOptions,
): Promise<Competitor['measure']> {
  if (small) {
    const target = { shape, databaseName, build };
    return () => measureSmall(world, target, SMALL_SCALE, SHORT_DUMP, UNWATCHED);
  }
  const database = await world.database(databaseName);
  const registry = await world.start({ shape, database, build });
  await untilQuiet(registry.watched);
  const load = { vehicles, ...LOADS[vehicles] };
  return () => measureRegistry({ servers: world.servers, bounds: UNWATCHED }, registry, load);
}

/** False when one was wrong. */
async function measureEach(competitors: readonly Competitor[], round: number): Promise<boolean> {
  for (const { name, measure, samples } of competitors) {
    const sample = await measure();
    const { p50Ms } = sample.figures;
    const waited = p50Ms === undefined ? '' : `  p50 ${p50Ms.toFixed(0)} ms`;
    const faults = sample.faults.map((fault) => `  WRONG: ${fault}`).join('');
    print(`round ${round}  ${name}  ${sample.perSecond.toFixed(1)}/s${waited}${faults}`);
    if (faults !== '') return false;
    if (round > 0) samples.push(sample);
  }
  return true;
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
