import type { Scope } from '../shared/contract/enums.ts';
import type { AmendmentBody } from '../shared/contract/machine/amendment.ts';
import type { CancellationBody } from '../shared/contract/machine/cancellation.ts';
import type { Tx } from '../shared/db/prisma.ts';
import { applyChanges } from '../shared/domain/amendment/apply-changes.ts';
import { decideAmendment } from '../shared/domain/amendment/plan-amendment.ts';
import { decideCancellation } from '../shared/domain/amendment/plan-cancellation.ts';
import type { CurrentRecord } from '../shared/domain/amendment/record.ts';
import type { Outcome } from '../shared/domain/registration/plan-registration.ts';
import type { Submission } from '../shared/domain/registration/submission.ts';
import { matchVehicles } from '../shared/domain/rules/matching.ts';
import { calendarDate } from '../shared/platform/clock.ts';
import { lateWriterIgnored } from '../shared/platform/events.ts';
import { newId } from '../shared/platform/new-id.ts';
import type { TakenTransmission } from '../shared/store/intake/processing.ts';
import {
  ClaimsRefused,
  FactsChanged,
  FenceLost,
  settleWithin,
} from '../shared/store/registry/commit/settle.ts';
import { writeChanges } from '../shared/store/registry/commit/write-changes.ts';
import { lockRecord } from '../shared/store/registry/current-record.ts';
import { readFacts } from '../shared/store/registry/facts.ts';
import { readRelatedOf } from '../shared/store/registry/related-records.ts';
import { CONTENTION_TRIES_MAX, untilUncontended } from './contention.ts';
import type { WorkerContext } from './context.ts';
import { openBody } from './open-body.ts';
import { readBlockersAtOnce } from './read-blockers-at-once.ts';
import type { OnFailure } from './register-batch.ts';
import { announceSettled, prepareEndings } from './settle-together.ts';
import { unknownFieldFindings } from './unknown-fields.ts';

/** Decides an AMEND or CANCEL under the lock of its record and settles it in the same transaction. Never rejects. */
export async function changeRecord(
  context: WorkerContext,
  transmission: TakenTransmission,
  onFailure: OnFailure,
): Promise<void> {
  try {
    await settleUncontended(context, transmission);
  } catch (error) {
    if (error instanceof FenceLost) {
      const { id, requestId } = transmission;
      lateWriterIgnored(context, { transmissionId: id, requestId });
    } else {
      await onFailure(transmission, error);
    }
  }
}

async function settleUncontended(
  context: WorkerContext,
  transmission: TakenTransmission,
): Promise<void> {
  const endings = await untilUncontended(CONTENTION_TRIES_MAX, (previous) =>
    context.db.$transaction(async (tx) => {
      const withBlockers = previous instanceof ClaimsRefused || previous instanceof FactsChanged;
      const decided = await decide(context, tx, transmission, withBlockers);
      const prepared = prepareEndings(context, [{ transmission, outcome: decided }]);
      await settleWithin(tx, prepared.settlement);
      if (decided.changes !== null) await writeChanges(tx, context.keyring, decided.changes);
      return prepared.endings;
    }),
  );
  await announceSettled(context, endings);
}

async function decide(
  context: WorkerContext,
  tx: Tx,
  transmission: TakenTransmission,
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
  transmission: TakenTransmission,
  record: CurrentRecord,
  body: AmendmentBody,
  withBlockers: boolean,
): Promise<Outcome> {
  const amended = applyChanges(record.submission, record.places, body.changes);
  const { asked, facts, moment } = await readOne(
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
  const related = await readRelatedOf(tx, first.verdict.matched, exceptCertificateId);
  const matched = matchVehicles(amended.submission.vehicles, facts.vehicles);
  const isPlain =
    first.verdict.status !== 'REJECTED' && matched.every((one) => one.matches.length < 2);
  if (isPlain && !withBlockers) {
    return related.length === 0 ? first : attempt({ blockers: [], related });
  }
  const question = { asked, facts, matched, exceptCertificateId };
  return attempt({ blockers: await readBlockersAtOnce(tx, question, moment), related });
}

async function decideCancel(
  context: WorkerContext,
  tx: Tx,
  transmission: TakenTransmission,
  record: CurrentRecord,
): Promise<Outcome> {
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
  { organizationId, apiClientId }: TakenTransmission,
  submission: Submission,
  neededScope: Scope,
) {
  const now = clock.now();
  const moment = { now, today: calendarDate(now, config.registryTimeZone) };
  const asked = { submission, organizationId, apiClientId, neededScope };
  const [facts] = await readFacts(tx, [asked], moment);
  if (facts === undefined) throw new Error('facts are missing');
  return { asked, facts, moment };
}
