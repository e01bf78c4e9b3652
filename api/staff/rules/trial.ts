import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import type {
  RuleSet,
  RuleSetTrial,
  TriedTransmission,
} from '../../../shared/contract/staff/rules.ts';
import { TRANSACTION_TIMEOUT_MS, type Tx } from '../../../shared/db/prisma.ts';
import { groupBy } from '../../../shared/domain/group-by.ts';
import { readSubmission, type Submission } from '../../../shared/domain/registration/submission.ts';
import type { Facts } from '../../../shared/domain/rules/facts.ts';
import { matchVehicles } from '../../../shared/domain/rules/matching.ts';
import { totalsOf } from '../../../shared/domain/rules/trial-totals.ts';
import { tryRules } from '../../../shared/domain/rules/try-rules.ts';
import { calendarDate } from '../../../shared/platform/clock.ts';
import { readBlockersOf } from '../../../shared/store/registry/facts/read-blockers.ts';
import { readFacts } from '../../../shared/store/registry/facts/read-facts.ts';
import { readDayOffset } from '../../../shared/store/sandbox/registry-day.ts';
import { readActiveRuleSet, requireRuleSet } from '../../../shared/store/staff/rule-sets.ts';
import {
  readLastDecided,
  readRegistrationTimes,
  type TriedTransmissionRow,
} from '../../../shared/store/staff/tried-transmissions.ts';
import type { ApiContext } from '../../context.ts';
import { CallerGone } from '../../http/respond.ts';
import { ok, type StaffAnswer, type StaffRequest } from '../route.ts';

/** A trial judges at most this many vehicles, in portions, so that other requests are served between them. */
const TRIED_VEHICLES_MAX = 10_000;
const PORTION_VEHICLES_MAX = 500;
const PORTION_TRANSMISSIONS_MAX = 50;

/** Judges the last decided transmissions by another rule set, in one snapshot and a transaction that can write nothing. */
export async function tryRuleSet(
  context: ApiContext,
  { params, query, signal }: StaffRequest<'tryRuleSet'>,
): Promise<StaffAnswer> {
  const now = context.clock.now();
  const data = await context.db.$transaction(
    async (tx): Promise<RuleSetTrial> => {
      await tx.$executeRaw`SET TRANSACTION READ ONLY`;
      const ruleSet = await requireRuleSet(tx, params.ruleSetId, now);
      const present = await readActiveRuleSet(tx, now);
      const rows = await readLastDecided(tx, {
        last: query.last,
        vehiclesMax: TRIED_VEHICLES_MAX,
      });
      const changed: TriedTransmission[] = [];
      for (const portion of portionsOf(rows)) {
        if (signal.aborted) throw new CallerGone('the caller left during a trial');
        changed.push(...(await tryPortion(context, tx, portion, ruleSet, now)));
      }
      return {
        ruleSetId: ruleSet.id,
        presentRuleSetId: present.id,
        judged: rows.length,
        moves: movesOf(changed),
        ...totalsOf(changed),
        changed,
      };
    },
    { isolationLevel: 'RepeatableRead', timeout: TRANSACTION_TIMEOUT_MS },
  );
  return ok(data);
}

function portionsOf(rows: readonly TriedTransmissionRow[]): TriedTransmissionRow[][] {
  const portions: TriedTransmissionRow[][] = [];
  let vehicles = 0;
  for (const row of rows) {
    const last = portions.at(-1);
    vehicles += row.vehicleCount;
    const isFull =
      last === undefined ||
      last.length >= PORTION_TRANSMISSIONS_MAX ||
      vehicles > PORTION_VEHICLES_MAX;
    if (isFull) {
      portions.push([row]);
      vehicles = row.vehicleCount;
    } else last.push(row);
  }
  return portions;
}

async function tryPortion(
  { keyring, config }: ApiContext,
  tx: Tx,
  portion: readonly TriedTransmissionRow[],
  ruleSet: RuleSet,
  now: Date,
): Promise<TriedTransmission[]> {
  const submissions = portion.map(({ id, bodySealed }) => {
    const body = keyring.open(Buffer.from(bodySealed), id).toString();
    return readSubmission(JSON.parse(body) as TransmissionBody);
  });
  const questions = portion.map(({ organizationId }, at) => ({
    submission: required(submissions[at]),
    organizationId,
    // Whether its client is still active does not concern the rules.
    apiClientId: null,
    neededScope: 'ppai:transmit' as const,
  }));
  const daysAhead = await readDayOffset(tx, config);
  const today = calendarDate(now, config.registryTimeZone, daysAhead);
  const facts = await readFacts(tx, questions, { now, today });
  const changed: TriedTransmission[] = [];
  for (const [at, row] of portion.entries()) {
    const submission = required(submissions[at]);
    const receivedOn = calendarDate(row.receivedAt, config.registryTimeZone, daysAhead);
    const then = { ...required(facts[at]), today: receivedOn };
    const judged = await factsWithoutOwn(tx, row, submission, then);
    const { isChanged, ...verdicts } = tryRules(submission, judged, ruleSet);
    if (isChanged)
      changed.push({ ...shown(row), ...verdicts, differences: [...verdicts.differences] });
  }
  return changed;
}

/**
 * A transmission that was registered had no conflict, and would now conflict with itself. For one that was rejected, only
 * records count that were registered before it was decided.
 */
async function factsWithoutOwn(
  tx: Tx,
  { status, completedAt }: TriedTransmissionRow,
  submission: Submission,
  facts: Facts,
): Promise<Facts> {
  if (status !== 'REJECTED') return { ...facts, registered: null };
  const matched = matchVehicles(submission.vehicles, facts.vehicles);
  const blockers = await readBlockersOf(tx, submission, matched, null);
  const { registered } = facts;
  const ids = [...blockers, ...(registered === null ? [] : [registered])].map(
    ({ certificateId }) => certificateId,
  );
  if (ids.length === 0) return facts;
  const times = await readRegistrationTimes(tx, ids);
  const wasThere = ({ certificateId }: { readonly certificateId: string }) =>
    (times.get(certificateId) ?? completedAt) <= completedAt;
  return {
    ...facts,
    registered: registered !== null && wasThere(registered) ? registered : null,
    blockers: blockers.filter(wasThere),
  };
}

function shown(row: TriedTransmissionRow) {
  const { transmissionReference, externalTransactionId, transmittingOrg, receivedAt, status } = row;
  return {
    transmissionReference,
    externalTransactionId,
    transmittingOrg,
    receivedAt: receivedAt.toISOString(),
    recordedStatus: status,
  };
}

function movesOf(changed: readonly TriedTransmission[]): RuleSetTrial['moves'] {
  const moved = changed.filter(({ present, tried }) => present.status !== tried.status);
  const groups = groupBy(moved, ({ present, tried }) => `${present.status} ${tried.status}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return { from: first.present.status, to: first.tried.status, count: group.length };
  });
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('facts or submissions are missing');
  return value;
}
