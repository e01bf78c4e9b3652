import type { AmendmentBody } from '../../../shared/contract/machine/amendment.ts';
import {
  type AmendedVehicles,
  amendVehicles,
  applied,
  diffPaths,
  identityFindings,
} from './changes.ts';
import { insuredFindings, namedAnew } from './insured.ts';
import { coverageStatus, judge, type RaisedFlag, topCode } from './judge.ts';
import { authorityFindings } from './levels.ts';
import { mayTransmit, policyOf } from './organizations.ts';
import { pointed } from './reading/sent.ts';
import { withRelated } from './related.ts';
import type { Ack, Entry, ModelRecord, ModelState, ReadStates, Submission } from './state.ts';
import { type Decided, flagTexts } from './transmit.ts';
import { adopt, isConflict, type Match, match, present } from './vehicles.ts';

/** D14. */
export function amend(
  readStates: ReadStates,
  organization: string,
  record: ModelRecord,
  body: AmendmentBody,
  today: string,
): Decided {
  const { atFacts, state } = readStates;
  const head = {
    kind: 'AMEND' as const,
    replayed: false,
    externalTransactionId: body.externalTransactionId,
    policyNumber: record.policyNumber,
    cocNumber: record.cocNumber,
  };
  const unauthorized = lostAuthority(state, record, organization);
  if (unauthorized.length > 0) return refused(head, record, 'VALIDATION_FAILED', unauthorized, []);
  if (record.lifecycle === 'CANCELLED')
    return refused(head, record, 'RECORD_CANCELLED', ['RECORD_CANCELLED null']);
  if ((body.expectedVersion ?? record.version) !== record.version)
    return refused(head, record, 'CONFLICT', ['VERSION_MISMATCH expectedVersion']);

  const before = submissionOf(state, record);
  const amended = withReplacements(atFacts, amendVehicles(record, body));
  const after = applied(before, body, amended);
  const unfit = [...amended.findings, ...identityFindings(before, body)];
  const paths = diffPaths(before, after, amended);
  const known = amended.vehicles.map(({ entry }) => entry?.canonical);
  const matches = match(atFacts, after.vehicles, known);
  const isShared = state.records.some(
    (other) => other.policyKey === record.policyKey && other.key !== record.key,
  );
  const authority = authorityFindings(after, organization);
  const found = judge(after, authority, today, matches, [
    ...unfit,
    ...paths
      .filter((path) => isShared && (path === 'poolCode' || path.startsWith('policy.')))
      .map((path) => `POLICY_SHARED_BY_OTHER_CERTIFICATES changes.${path}`),
    ...(paths.length === 0 && unfit.length === 0 ? ['NO_CHANGES changes'] : []),
    ...insuredFindings(readStates, record, after, amended, matches, body),
  ]);
  const toSent = (finding: string) => pointed(finding, body, amended);
  const verdict = {
    ...found,
    errors: found.errors.map(toSent),
    warnings: found.warnings.map(toSent),
  };
  const { flags } = withRelated(readStates, verdict, matches, record.key);
  const common = {
    ...head,
    plateNumbers: after.vehicles.flatMap(({ ids }) => ids.plateNumber ?? []),
    errors: [...verdict.errors].sort(),
    warnings: [...verdict.warnings].sort(),
    flags: flagTexts(flags),
    referenceMatches: verdict.referenceMatches,
  };
  if (verdict.errors.length > 0) {
    const isIdentity = verdict.errors.some((error) => error.startsWith('IMMUTABLE_FIELD'));
    return {
      ack: { ...common, status: 'REJECTED', record: null, version: null, coverageStatus: null },
      errorCode: isIdentity ? 'IMMUTABLE_FIELD' : topCode(verdict.errors),
    };
  }
  for (const entry of amended.removed)
    entry.left = { on: today, from: record.effectiveDate, to: record.expirationDate };
  register(state, record, after, amended, matches, flags);
  record.amendments.push(paths.sort());
  return {
    ack: {
      ...common,
      status: flags.length > 0 ? 'FLAGGED' : 'ACCEPTED',
      record: record.key,
      version: record.version,
      coverageStatus: coverageStatus(today, record),
    },
    errorCode: null,
  };
}

/** An entry that keeps none of its identifiers is another vehicle: the old one is removed and the new one is added at the end. */
function withReplacements(
  state: ModelState,
  { vehicles, removed, findings }: AmendedVehicles,
): AmendedVehicles {
  const named = vehicles.map(({ vehicle }) => vehicle);
  const known = vehicles.map(({ entry }) => entry?.canonical);
  const canonicals = match(state, named, known).map(({ canonical }) => canonical);
  const added = vehicles.filter(({ entry }) => entry === undefined);
  const old = vehicles.filter(({ entry }) => entry !== undefined);
  const isSame = (one: (typeof vehicles)[number]) =>
    canonicals[vehicles.indexOf(one)] === one.entry?.canonical;
  const others = old.filter((one) => !isSame(one));
  return {
    vehicles: [
      ...old.filter(isSame),
      ...others.map((one) => ({ ...one, entry: undefined })),
      ...added,
    ],
    removed: [...removed, ...others.flatMap(({ entry }) => entry ?? [])],
    findings,
  };
}

/** Refused without applying the rules. */
export function refused(
  head: Pick<Ack, 'kind' | 'replayed' | 'externalTransactionId' | 'policyNumber' | 'cocNumber'>,
  record: ModelRecord,
  errorCode: string,
  errors: readonly string[],
  plateNumbers = present(record).flatMap(({ vehicle }) => vehicle.ids.plateNumber ?? []),
): Decided {
  return {
    ack: {
      ...head,
      status: 'REJECTED',
      record: null,
      version: null,
      coverageStatus: null,
      plateNumbers,
      errors: [...errors].sort(),
      warnings: [],
      flags: [],
      referenceMatches: [],
    },
    errorCode,
  };
}

/** D28: an organization that has lost its authority over a record learns only that. */
export function lostAuthority(
  state: ModelState,
  record: ModelRecord,
  organization: string,
): string[] {
  const { issuanceDate } = policyOf(state, record);
  return mayTransmit(organization, record.insurer, issuanceDate ?? '')
    ? []
    : authorityFindings({ ...submissionOf(state, record), pool: null }, organization);
}

export function submissionOf(state: ModelState, record: ModelRecord): Submission {
  const { pool, ...policy } = policyOf(state, record);
  return {
    insurer: record.insurer,
    pool,
    policyNumber: record.policyNumber,
    policy,
    cocNumber: record.cocNumber,
    effectiveDate: record.effectiveDate,
    expirationDate: record.expirationDate,
    verification: record.verification,
    operator: record.operator,
    vehicles: present(record).map(({ vehicle }) => vehicle),
  };
}

function register(
  state: ModelState,
  record: ModelRecord,
  after: Submission,
  { vehicles, removed }: AmendedVehicles,
  matches: readonly Match[],
  raised: readonly RaisedFlag[],
): void {
  const policy = { ...after.policy, pool: after.pool };
  const isSamePeriod =
    after.effectiveDate === record.effectiveDate && after.expirationDate === record.expirationDate;
  record.version += 1;
  state.policies[record.policyKey] = policy;
  for (const entry of removed) entry.removedInVersion = record.version;
  const placed = vehicles.map(({ vehicle, entry }, index): Entry => {
    const isRenamed = JSON.stringify(vehicle.ids) !== JSON.stringify(entry?.vehicle.ids);
    const gained = namedAnew(vehicle, entry?.vehicle);
    const canonical =
      entry !== undefined && !isRenamed
        ? entry.canonical
        : adopt(state, vehicle.ids, matches[index]?.canonical);
    const held = [...new Set([...(entry?.held ?? []), ...gained])];
    const addedInVersion = entry?.addedInVersion ?? record.version;
    return { vehicle, canonical, held, addedInVersion, removedInVersion: null, left: null };
  });
  placed.forEach((entry, index) => {
    const stays = vehicles[index]?.entry?.canonical === entry.canonical;
    if (!stays || !isSamePeriod) entry.held = [...(state.vehicles[entry.canonical]?.owned ?? [])];
  });
  const replaced = new Map(vehicles.map(({ entry }, index) => [entry, placed[index]]));
  record.entries = [
    ...record.entries.map((entry) => replaced.get(entry) ?? entry),
    ...placed.filter((_, index) => vehicles[index]?.entry === undefined),
  ];
  record.effectiveDate = after.effectiveDate ?? '';
  record.expirationDate = after.expirationDate ?? '';
  record.verification = after.verification;
  record.operator = after.operator;
  const flags = raised.map(({ type, index, plateNumber, related }) => ({
    type,
    related,
    plateNumber,
    canonical: placed[index]?.canonical ?? -1,
    status: 'OPEN' as const,
  }));
  const isAmong = (list: typeof record.flags, one: (typeof record.flags)[number]) =>
    list.some(({ type, canonical }) => type === one.type && canonical === one.canonical);
  const open = record.flags.filter(({ status }) => status === 'OPEN');
  for (const flag of open)
    if (isCauseGone(flag, placed, matches)) flag.status = 'RESOLVED_BY_AMENDMENT';
  record.flags.push(...flags.filter((flag) => !isAmong(open, flag)));
}

/** D29. No vehicle here is in the reference data, so a mismatch is resolved only when its vehicle is removed. */
function isCauseGone(
  { type, canonical }: ModelRecord['flags'][number],
  placed: readonly Entry[],
  matches: readonly Match[],
): boolean {
  const at = placed.findIndex((entry) => entry.canonical === canonical);
  const found = matches[at];
  if (found === undefined) return true;
  return type === 'IDENTIFIER_CONFLICT' && !isConflict(found);
}
