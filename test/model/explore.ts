import fc from 'fast-check';
import { currentShape } from '../env/shape.ts';
import { type Deed, PASSES, STARTS } from './deeds.ts';
import { findFlaws } from './invariants.ts';
import { deedsAtOnce, oneDeed } from './random-deeds.ts';
import { type Registry, startRegistry } from './registry/registry.ts';
import { readPlan, type Way } from './registry/ways.ts';
import { beginSequence, checkStored, makeDeeds, makePass } from './sequence.ts';

const COMMANDS_MAX = 16;
/** On a machine under load. */
const SEQUENCE_MS_MAX = 2_000;
/** From so many sequences on every outcome that isn't rare must have been among the answers. */
const SEQUENCES_OF_ALL_OUTCOMES = 500;

const alone = fc.array(oneDeed, { minLength: 1, maxLength: 1 });
const DEEDS: Readonly<Record<Way, fc.Arbitrary<readonly Deed[]>>> = {
  sequential: alone,
  simultaneous: fc.oneof({ weight: 3, arbitrary: deedsAtOnce }, { weight: 1, arbitrary: alone }),
};

const OUTCOMES = [
  'transmit 201',
  'transmit 200',
  'transmit 409 IDEMPOTENCY_KEY_REUSED',
  'transmit 422 VALIDATION_FAILED',
  'transmit 422 DUPLICATE_TRANSMISSION',
  'transmit 422 COC_ALREADY_REGISTERED',
  'transmit 422 VEHICLE_ALREADY_INSURED',
  'amend 200',
  'amend 404 NOT_FOUND',
  'amend 409 CONFLICT',
  'amend 422 IMMUTABLE_FIELD',
  'amend 422 RECORD_CANCELLED',
  'amend 422 VALIDATION_FAILED',
  'amend 422 VEHICLE_ALREADY_INSURED',
  'cancel 200',
  'cancel 404 NOT_FOUND',
  'cancel 422 RECORD_CANCELLED',
  'cancel 422 RECORD_MISMATCH',
  'cancel 422 VALIDATION_FAILED',
  'read 200',
  'read 404 NOT_FOUND',
  'lookup 200',
  'lookup 404 NOT_FOUND',
  'search 200',
  'coverage 200',
  'coverage 404 NOT_FOUND',
] as const;

/**
 * Random sequences of requests and of time passing against the rules in `rules/`. Fails with the smallest
 * sequence found on which registry and rules disagree, and says how to play it again.
 */
export function explore(way: Way): void {
  const { sequences, seed, path } = readPlan(way);
  let registry: Registry;
  let begun = 0;
  beforeAll(async () => {
    registry = await startRegistry();
  });
  afterAll(() => registry.stop());

  const deeds = DEEDS[way].map(makeDeeds);
  const pass = fc.constantFrom(...PASSES).map(makePass);
  // Time passes with every sixth command.
  const commands = fc.commands([deeds, deeds, deeds, deeds, deeds, pass], {
    maxCommands: COMMANDS_MAX,
    size: 'max',
  });
  const property = fc.asyncProperty(fc.constantFrom(...STARTS), commands, async (start, list) => {
    begun += 1;
    const space = begun.toString(36).toUpperCase().padStart(4, '0');
    const model = beginSequence(space, new Date(start), registry);
    await fc.asyncModelRun(() => ({ model, real: registry }), list);
    await checkStored(model, registry);
  });

  it(
    `${sequences} ${way} sequences of requests are answered as the rules say`,
    async () => {
      const details = await fc.check(property, {
        numRuns: sequences,
        seed,
        ...(path === undefined ? {} : { path }),
      });
      if (details.failed) throw new Error(report(details, way));
    },
    60_000 + sequences * SEQUENCE_MS_MAX,
  );

  it('no two certificates in force share an identifier on a day, over all sequences', async () => {
    expect(await findFlaws(registry.db, '%')).toEqual([]);
  });

  if (way === 'sequential' && sequences >= SEQUENCES_OF_ALL_OUTCOMES) {
    it('every outcome that is not rare was among the answers', () => {
      const missing = OUTCOMES.filter((outcome) => !registry.outcomes.has(outcome));
      expect(missing).toEqual([]);
    });
  }
}

interface Failure {
  readonly seed: number;
  readonly counterexamplePath: string | null;
  readonly errorInstance: unknown;
}

function report({ seed, counterexamplePath, errorInstance }: Failure, way: Way): string {
  const [path = '0'] = counterexamplePath?.split(':') ?? [];
  return [
    'registry and rules disagree. To play it again:',
    `npm run model -- --shape ${currentShape()} --way ${way} --seed ${seed} --path ${path}`,
    errorInstance instanceof Error ? errorInstance.message : '',
  ].join('\n');
}
