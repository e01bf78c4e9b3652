import fc from 'fast-check';
import { currentShape } from '../env/shape.ts';
import { findProblems } from './invariants.ts';
import { concurrentRequests, oneRequest } from './random-specs.ts';
import { type Mode, readPlan } from './registry/modes.ts';
import { type Registry, startRegistry } from './registry/registry.ts';
import { PASSES, type RequestSpec, STARTS } from './request-specs.ts';
import { beginSequence, checkStored, makePass, makeRequests } from './sequence.ts';

const COMMANDS_MAX = 16;
/** Time limit per sequence on a machine under load. */
const SEQUENCE_MS_MAX = 2_000;
/** With at least this many sequences, every outcome that is not rare must have occurred. */
const SEQUENCES_OF_ALL_OUTCOMES = 500;

const alone = fc.array(oneRequest, { minLength: 1, maxLength: 1 });
/** The modes that the model judges alone. */
type Judged = Exclude<Mode, 'dryRun'>;

const SPECS: Readonly<Record<Judged, fc.Arbitrary<readonly RequestSpec[]>>> = {
  sequential: alone,
  concurrent: fc.oneof(
    { weight: 3, arbitrary: concurrentRequests },
    { weight: 1, arbitrary: alone },
  ),
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
 * Compares random sequences of requests and time steps with the rules in `rules/`. Fails at the first sequence on which registry and rules
 * disagree, and prints the command that repeats it and reduces it to the smallest that fails. A run of many sequences does not reduce it
 * itself: a failure that seldom recurs would use up the time of the test, and its message would be lost.
 */
export function explore(mode: Judged): void {
  const { sequences, seed, path } = readPlan(mode);
  let registry: Registry;
  let begun = 0;
  beforeAll(async () => {
    registry = await startRegistry();
  });
  afterAll(() => registry.stop());

  const specs = SPECS[mode].map(makeRequests);
  const pass = fc.constantFrom(...PASSES).map(makePass);
  // Every sixth command lets time pass.
  const commands = fc.commands([specs, specs, specs, specs, specs, pass], {
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
    `${sequences} ${mode} sequences of requests are answered as the rules predict`,
    async () => {
      const details = await fc.check(property, {
        numRuns: sequences,
        seed,
        ...(path === undefined ? { endOnFailure: true } : { path }),
      });
      if (details.failed) throw new Error(report(details, mode));
    },
    60_000 + sequences * SEQUENCE_MS_MAX,
  );

  it('no two certificates in force share an identifier on a day, over all sequences', async () => {
    expect(await findProblems(registry.db, '%')).toEqual([]);
  });

  if (mode === 'sequential' && sequences >= SEQUENCES_OF_ALL_OUTCOMES) {
    it('every outcome that is not rare has occurred', () => {
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

function report({ seed, counterexamplePath, errorInstance }: Failure, mode: Mode): string {
  const [path = '0'] = counterexamplePath?.split(':') ?? [];
  return [
    'registry and rules disagree. To repeat it and find the smallest such sequence:',
    `npm run model -- --shape ${currentShape()} --mode ${mode} --seed ${seed} --path ${path}`,
    errorInstance instanceof Error ? errorInstance.message : '',
  ].join('\n');
}
