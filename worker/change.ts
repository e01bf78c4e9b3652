import type { Scope } from '../shared/contract/enums.ts';
import type { AmendmentBody } from '../shared/contract/machine/amendment.ts';
import type { CancellationBody } from '../shared/contract/machine/cancellation.ts';
import type { Tx } from '../shared/db/prisma.ts';
import { applyChanges } from '../shared/domain/amendment/apply-changes.ts';
import { decideAmendment } from '../shared/domain/amendment/plan-amendment.ts';
import { decideCancellation } from '../shared/domain/amendment/plan-cancellation.ts';
import type { CurrentRecord } from '../shared/domain/amendment/record.ts';
import type { Outcome } from '../shared/domain/registration/plan-registration.ts';
import { platesOf, type Submission } from '../shared/domain/registration/submission.ts';
import { matchVehicles } from '../shared/domain/rules/matching.ts';
import { factsOfScenario, refuseByScenario } from '../shared/domain/rules/scenario.ts';
import { unknownFieldFindings } from '../shared/domain/rules/unknown-fields.ts';
import { newId } from '../shared/platform/new-id.ts';
import type { ClaimedTransmission } from '../shared/store/intake/claim.ts';
import { writeBatch } from '../shared/store/registry/commit/commit-batch.ts';
import { StaleRead } from '../shared/store/registry/commit/read-set.ts';
import { ReservationRefused } from '../shared/store/registry/commit/reserve-identifiers.ts';
import { lockRecord } from '../shared/store/registry/current-record.ts';
import { readBlockers } from '../shared/store/registry/facts/read-blockers.ts';
import { readFacts } from '../shared/store/registry/facts/read-facts.ts';
import { readRelated } from '../shared/store/registry/facts/read-related.ts';
import { readToday } from '../shared/store/sandbox/registry-day.ts';
import { announceFinished, batchOf } from './commit.ts';
import type { WorkerContext } from './context.ts';
import { openBody } from './open-body.ts';
import {
  CONFLICT_TRIES_MAX,
  handleError,
  type OnFailure,
  retryOnConflict,
} from './retry-policy.ts';

/**
 * Decides an AMEND or CANCEL under the lock of its record and commits it in the same transaction. Never rejects: `onFailure` is
 * called if it failed.
 */
export async function changeRecord(
  context: WorkerContext,
  transmission: ClaimedTransmission,
  onFailure: OnFailure,
): Promise<void> {
  try {
    await decideAndCommit(context, transmission);
  } catch (error) {
    await handleError(context, transmission, error, onFailure);
  }
}

/** Decides again on fresh facts when another transaction commits first. */
async function decideAndCommit(
  context: WorkerContext,
  transmission: ClaimedTransmission,
): Promise<void> {
  const decided = await retryOnConflict(context, CONFLICT_TRIES_MAX, (previous) =>
    context.db.$transaction(async (tx) => {
      const withBlockers = previous instanceof ReservationRefused || previous instanceof StaleRead;
      const outcome = await decide(context, tx, transmission, withBlockers);
      const one = [{ transmission, outcome }];
      await writeBatch(tx, context.keyring, batchOf(context, one));
      return one;
    }),
  );
  await announceFinished(context, decided);
}

async function decide(
  context: WorkerContext,
  tx: Tx,
  transmission: ClaimedTransmission,
  withBlockers: boolean,
): Promise<Outcome> {
  const { targetCertificateId } = transmission;
  if (targetCertificateId === null) throw new Error('the transmission names no record');
  const { keyring } = context;
  if (transmission.kind === 'CANCEL') {
    const record = await lockRecord(tx, keyring, targetCertificateId, { withPolicy: false });
    return decideCancel(context, tx, transmission, record);
  }
  const body = openBody<AmendmentBody>(keyring, transmission);
  const { policy, poolCode } = body.changes;
  const withPolicy = (policy ?? poolCode) !== undefined;
  const record = await lockRecord(tx, keyring, targetCertificateId, { withPolicy });
  return decideAmend(context, tx, transmission, record, body, withBlockers);
}

async function decideAmend(
  context: WorkerContext,
  tx: Tx,
  transmission: ClaimedTransmission,
  record: CurrentRecord,
  body: AmendmentBody,
  withBlockers: boolean,
): Promise<Outcome> {
  const plates = platesOf(record.submission);
  const refused = refuseByScenario(transmission, transmission.scenario, plates);
  if (refused !== undefined) return refused;
  const amended = applyChanges(record.submission, record.places, body.changes);
  const { question, facts, moment } = await readOne(
    context,
    tx,
    transmission,
    amended.submission,
    'ppai:amend',
  );
  const attempt = (found: Pick<typeof facts, 'blockers' | 'related'>) =>
    decideAmendment(
      transmission,
      record,
      body,
      amended,
      { ...facts, ...found },
      { transmissionId: transmission.id, now: moment.now, newId },
      unknownFieldFindings(transmission.unknownFields),
    );
  const exceptCertificateId = record.certificateId;
  const first = attempt({ blockers: [], related: [] });
  const related = await readRelated(tx, first.verdict.matched, exceptCertificateId);
  const matched = matchVehicles(amended.submission.vehicles, facts.vehicles);
  const isPlain =
    first.verdict.status !== 'REJECTED' && matched.every((one) => one.matches.length < 2);
  if (isPlain && !withBlockers) {
    return related.length === 0 ? first : attempt({ blockers: [], related });
  }
  const blockersQuestion = { question, facts, matched, exceptCertificateId };
  const blockers = await readBlockers(tx, blockersQuestion, moment);
  return attempt({ blockers, related });
}

async function decideCancel(
  context: WorkerContext,
  tx: Tx,
  transmission: ClaimedTransmission,
  record: CurrentRecord,
): Promise<Outcome> {
  const plates = platesOf(record.submission);
  const refused = refuseByScenario(transmission, transmission.scenario, plates);
  if (refused !== undefined) return refused;
  const body = openBody<CancellationBody>(context.keyring, transmission);
  const { facts, moment } = await readOne(
    context,
    tx,
    transmission,
    record.submission,
    'ppai:cancel',
  );
  return decideCancellation(
    transmission,
    record,
    body,
    facts,
    { transmissionId: transmission.id, now: moment.now },
    unknownFieldFindings(transmission.unknownFields),
  );
}

async function readOne(
  { clock, config }: WorkerContext,
  tx: Tx,
  { organizationId, apiClientId, scenario }: ClaimedTransmission,
  submission: Submission,
  neededScope: Scope,
) {
  const now = clock.now();
  const moment = { now, today: await readToday(tx, config, now) };
  const question = { submission, organizationId, apiClientId, neededScope };
  const [found] = await readFacts(tx, [question], moment);
  if (found === undefined) throw new Error('facts are missing');
  return { question, facts: factsOfScenario(scenario, found, submission), moment };
}
