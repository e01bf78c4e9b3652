import fc from 'fast-check';
import type { Acknowledgment } from '../../shared/contract/machine/acknowledgment.ts';
import type { TestAnswer } from '../env/api/signed-request.ts';
import { oneSubmission, transmit } from './random-specs.ts';
import { readPlan } from './registry/modes.ts';
import { type Registry, startRegistry } from './registry/registry.ts';
import { PASSES, type RequestSpec, STARTS } from './request-specs.ts';
import { beginSequence, makePass, makeRequests } from './sequence.ts';

// D38: a dry run answers what the transmission that follows answers. In `.ci/run` both shapes together compare 2,000 bodies.

/** On average a sequence compares seven. */
const BODIES_OF_A_SEQUENCE_MIN = 4;
const COMMANDS_MAX = 24;
/** Fewer sequences need not have every outcome. */
const SEQUENCES_WITH_EVERY_OUTCOME = 100;

/** Outcomes that must occur among the compared bodies of a long run. */
const OUTCOMES = [
  'ACCEPTED',
  'FLAGGED',
  'REJECTED VALIDATION_FAILED',
  'REJECTED DUPLICATE_TRANSMISSION',
  'REJECTED COC_ALREADY_REGISTERED',
  'REJECTED VEHICLE_ALREADY_INSURED',
  'schema failure',
];

let registry: Registry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

let compared = 0;
const outcomes = new Set<string>();

it('a dry run answers what the transmission that follows answers, whatever the body', async () => {
  const one = (spec: fc.Arbitrary<RequestSpec>) => spec.map((made) => makeRequests([made]));
  const commands = fc.commands(
    [
      one(transmit),
      one(transmit),
      one(transmit),
      one(oneSubmission),
      fc.constantFrom(...PASSES).map(makePass),
    ],
    { maxCommands: COMMANDS_MAX, size: 'max' },
  );
  const { sequences, seed, path } = readPlan('dryRun');
  let begun = 0;
  const property = fc.asyncProperty(fc.constantFrom(...STARTS), commands, async (start, list) => {
    begun += 1;
    const space = begun.toString(36).toUpperCase().padStart(4, '0');
    const model = beginSequence(space, new Date(start), registry);
    await fc.asyncModelRun(() => ({ model, real: withDryRuns(registry) }), list);
  });
  await fc.assert(property, {
    numRuns: sequences,
    seed,
    endOnFailure: true,
    ...(path === undefined ? {} : { path }),
  });
  expect(compared).toBeGreaterThanOrEqual(sequences * BODIES_OF_A_SEQUENCE_MIN);
  if (sequences >= SEQUENCES_WITH_EVERY_OUTCOME)
    expect(OUTCOMES.filter((outcome) => !outcomes.has(outcome))).toEqual([]);
}, 900_000);

/** The registry, where a dry run precedes each transmission and both answers are compared. */
function withDryRuns(real: Registry): Registry {
  return {
    ...real,
    ask: async (request, references) => {
      if (request.op !== 'transmit') return real.ask(request, references);
      const tried = await real.dryRun(request);
      const answer = await real.ask(request, references);
      // The answer to a repetition is that of the first transmission, and 409 is about the id: a dry run is about the body.
      if (answer.status === 200 || answer.status === 409) return answer;
      compared += 1;
      const dryRun = tried.status === 200 ? resultOf(tried) : refusalOf(tried);
      const transmission = answer.envelope.data === null ? refusalOf(answer) : outcomeOf(answer);
      expect(dryRun).toEqual(transmission);
      outcomes.add(nameOf(answer));
      return answer;
    },
  };
}

/** The members of a dry run that its transmission answers too. */
function resultOf({ envelope }: TestAnswer) {
  const { outcome, errorCode, errors, warnings, flags, referenceMatches } = envelope.data ?? {};
  return { outcome, errorCode, errors, warnings, flags, referenceMatches };
}

function outcomeOf({ envelope }: TestAnswer) {
  const { status, errors, warnings, flags, referenceMatches } =
    envelope.data as unknown as Acknowledgment;
  const errorCode = envelope.error?.code ?? null;
  return { outcome: status, errorCode, errors, warnings, flags, referenceMatches };
}

/** An answer without data: the body does not match the schema. */
function refusalOf({ status, envelope }: TestAnswer) {
  return { status, code: envelope.error?.code, details: envelope.error?.details };
}

function nameOf(answer: TestAnswer): string {
  if (answer.envelope.data === null) return 'schema failure';
  const { outcome, errorCode } = outcomeOf(answer);
  return errorCode === null ? outcome : `${outcome} ${errorCode}`;
}
