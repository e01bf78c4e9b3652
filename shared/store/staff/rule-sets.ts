import { makeConflict } from '../../contract/conflict.ts';
import { AppError } from '../../contract/errors.ts';
import { makeFinding } from '../../contract/findings.ts';
import type { Page } from '../../contract/machine/paging.ts';
import type {
  ActivateRuleSetBody,
  ChangeRuleSetBody,
  DraftRuleSetBody,
  RuleSet,
  RuleSetQuery,
} from '../../contract/staff/rules.ts';
import { Prisma } from '../../db/generated/client.ts';
import { newestFirst, readPage } from '../../db/page.ts';
import type { Tx } from '../../db/prisma.ts';
import { type By, recordAudit } from './audit.ts';
import { lockRow } from './lock.ts';
import { withChanges } from './with-changes.ts';

// The rule set in force is read with the facts of every decision (readFacts), so a change needs no notification.

interface RuleSetRow extends Omit<RuleSet, 'activeFrom' | 'activeUntil' | 'createdAt'> {
  readonly activeFrom: Date | null;
  readonly activeUntil: Date | null;
  readonly createdAt: Date;
}

const NEXT = Prisma.sql`
  (SELECT min(n.active_from) FROM rule_sets n WHERE n.active_from > r.active_from)`;

const statusAt = (now: Date) => Prisma.sql`
  CASE WHEN r.active_from IS NULL THEN 'DRAFT' WHEN r.active_from > ${now}::timestamptz THEN 'SCHEDULED'
    WHEN ${NEXT} <= ${now}::timestamptz THEN 'SUPERSEDED' ELSE 'ACTIVE' END`;

const columnsAt = (now: Date) => Prisma.sql`
  r.id::text, ${statusAt(now)} AS status, r.coverage_types AS "coverageTypes",
  r.max_coverage_days AS "maxCoverageDays", r.max_vehicles_per_certificate AS "maxVehiclesPerCertificate",
  r.expiring_within_days AS "expiringWithinDays", r.flag_no_match AS "flagNoMatch",
  r.flag_for_review AS "flagForReview", r.note, r.active_from AS "activeFrom", ${NEXT} AS "activeUntil", r.version,
  r.created_by AS "createdBy", r.created_at AS "createdAt"`;

/** Newest draft first. */
export async function listRuleSets(
  db: Tx,
  { status, cursor, limit }: RuleSetQuery,
  now: Date,
): Promise<Page<RuleSet>> {
  const page = await readPage<RuleSetRow>(db, {
    columns: columnsAt(now),
    from: Prisma.sql`rule_sets r`,
    conditions: [status !== undefined && Prisma.sql`${statusAt(now)} = ${status}`],
    ...newestFirst('r'),
    cursor,
    limit,
  });
  return { ...page, items: page.items.map(ruleSetOf) };
}

/** @throws {AppError} NOT_FOUND */
export async function requireRuleSet(db: Tx, id: string, now: Date): Promise<RuleSet> {
  const [row] = await db.$queryRaw<RuleSetRow[]>`
    SELECT ${columnsAt(now)} FROM rule_sets r WHERE r.id = ${id}::uuid`;
  if (row === undefined) throw new AppError('NOT_FOUND', 'no such rule set');
  return ruleSetOf(row);
}

/** The rule set in force. */
export async function readActiveRuleSet(db: Tx, now: Date): Promise<RuleSet> {
  const [row] = await db.$queryRaw<RuleSetRow[]>`
    SELECT ${columnsAt(now)} FROM rule_sets r WHERE r.active_from <= ${now}::timestamptz
    ORDER BY r.active_from DESC, r.created_at DESC LIMIT 1`;
  if (row === undefined) throw new Error('no rule set is in force');
  return ruleSetOf(row);
}

function ruleSetOf({ activeFrom, activeUntil, createdAt, ...row }: RuleSetRow): RuleSet {
  return {
    ...row,
    activeFrom: activeFrom?.toISOString() ?? null,
    activeUntil: activeUntil?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

type Values = Omit<
  RuleSet,
  'id' | 'status' | 'activeFrom' | 'activeUntil' | 'version' | 'createdBy' | 'createdAt'
>;

function valuesOf(ruleSet: Values): Values {
  const { coverageTypes, maxCoverageDays, maxVehiclesPerCertificate, expiringWithinDays } = ruleSet;
  const { flagNoMatch, flagForReview, note } = ruleSet;
  return {
    coverageTypes,
    maxCoverageDays,
    maxVehiclesPerCertificate,
    expiringWithinDays,
    flagNoMatch,
    flagForReview,
    note,
  };
}

/** Values that the body leaves out are those of the rule set in force. */
export async function draftRuleSet(tx: Tx, body: DraftRuleSetBody, by: By): Promise<RuleSet> {
  const present = await readActiveRuleSet(tx, by.at);
  const values = withChanges<Values>({ ...valuesOf(present), note: null }, body);
  const { id } = await tx.ruleSet.create({
    data: { ...values, createdBy: by.actor.email ?? by.actor.kind, createdAt: by.at },
    select: { id: true },
  });
  await recordAudit(tx, {
    ...by,
    action: 'RULE_SET_DRAFTED',
    target: { type: 'RULE_SET', id },
    after: values,
  });
  return requireRuleSet(tx, id, by.at);
}

/** @throws {AppError} NOT_FOUND, CONFLICT */
export async function changeRuleSet(
  tx: Tx,
  id: string,
  { expectedVersion, ...changes }: ChangeRuleSetBody,
  by: By,
): Promise<RuleSet> {
  const draft = await lockDraft(tx, id, expectedVersion, by);
  const before = valuesOf(draft);
  const after = withChanges(before, changes);
  if (JSON.stringify(before) === JSON.stringify(after)) return draft;
  await tx.ruleSet.update({
    where: { id },
    data: { ...after, version: { increment: 1 } },
    select: { id: true },
  });
  await recordAudit(tx, {
    ...by,
    action: 'RULE_SET_CHANGED',
    target: { type: 'RULE_SET', id },
    before,
    after,
  });
  return requireRuleSet(tx, id, by.at);
}

/** Puts it in force at a later time, or now. @throws {AppError} NOT_FOUND, VALIDATION_FAILED, CONFLICT */
export async function activateRuleSet(
  tx: Tx,
  id: string,
  { activeFrom, expectedVersion }: ActivateRuleSetBody,
  by: By,
): Promise<RuleSet> {
  const from = activeFrom === undefined ? by.at : new Date(activeFrom);
  if (from < by.at) {
    throw new AppError('VALIDATION_FAILED', 'the moment is in the past', {
      details: [
        makeFinding('INVALID_DATE_RANGE', 'activeFrom', 'Must not be in the past; left out: now.'),
      ],
    });
  }
  const draft = await lockDraft(tx, id, expectedVersion, by);
  // Activations run one after another, so that the second of two sees the time of the first.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('rule sets'))`;
  if ((await tx.ruleSet.count({ where: { activeFrom: from } })) > 0) {
    throw makeConflict('OVERLAP', {
      reason: 'the moment is taken',
      message: 'Another rule set takes over at this moment already.',
      current: draft,
    });
  }
  await setActiveFrom(tx, id, from);
  await recordAudit(tx, {
    ...by,
    action: 'RULE_SET_ACTIVATED',
    target: { type: 'RULE_SET', id },
    before: { activeFrom: null },
    after: { ...valuesOf(draft), activeFrom: from },
  });
  return requireRuleSet(tx, id, by.at);
}

/** Only before it comes into force. @throws {AppError} NOT_FOUND, CONFLICT */
export async function withdrawRuleSet(
  tx: Tx,
  id: string,
  expectedVersion: number,
  by: By,
): Promise<RuleSet> {
  const scheduled = await lockRuleSet(tx, id, expectedVersion, by);
  const { status, activeFrom } = scheduled;
  if (status !== 'SCHEDULED') {
    throw makeConflict('ALREADY_DECIDED', {
      reason: `the rule set is ${status}`,
      message: 'Only a rule set whose moment is still to come can be withdrawn.',
      current: scheduled,
    });
  }
  await setActiveFrom(tx, id, null);
  await recordAudit(tx, {
    ...by,
    action: 'RULE_SET_WITHDRAWN',
    target: { type: 'RULE_SET', id },
    before: { activeFrom },
    after: { activeFrom: null },
  });
  return requireRuleSet(tx, id, by.at);
}

async function lockDraft(tx: Tx, id: string, expectedVersion: number, by: By): Promise<RuleSet> {
  const ruleSet = await lockRuleSet(tx, id, expectedVersion, by);
  if (ruleSet.status === 'DRAFT') return ruleSet;
  throw makeConflict('ALREADY_DECIDED', {
    reason: `the rule set is ${ruleSet.status}`,
    message: 'The rule set is activated and never changes; draft another one.',
    current: ruleSet,
  });
}

async function lockRuleSet(
  tx: Tx,
  id: string,
  expectedVersion: number,
  { at }: By,
): Promise<RuleSet> {
  await lockRow(tx, 'rule_sets', id, expectedVersion, () => requireRuleSet(tx, id, at));
  return requireRuleSet(tx, id, at);
}

async function setActiveFrom(tx: Tx, id: string, activeFrom: Date | null): Promise<void> {
  await tx.ruleSet.update({
    where: { id },
    data: { activeFrom, version: { increment: 1 } },
    select: { id: true },
  });
}
