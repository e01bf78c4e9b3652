import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { coverageStatus, judge, type RaisedFlag, topCode } from './judge.ts';
import { authorityFindings } from './levels.ts';
import { readBody } from './reading/read-body.ts';
import { relatedText, withRelated } from './related.ts';
import type {
  Ack,
  Entry,
  ModelFlag,
  ModelRecord,
  ModelState,
  ReadStates,
  Submission,
} from './state.ts';
import { adopt, everyName, holders, insuredFinding, match, periodOf, present } from './vehicles.ts';

export interface Decided {
  readonly ack: Ack;
  readonly errorCode: string | null;
}

/** A new certificate (api.md, "POST /api/v1/ppai/policies"). It is added to the state if it is registered. */
export function transmit(
  readStates: ReadStates,
  organization: string,
  body: TransmissionBody,
  today: string,
): Decided {
  const { atFacts, atCovers, state } = readStates;
  const submission = readBody(body);
  const matches = match(atFacts, submission.vehicles, []);
  const policyKey = `${submission.insurer}|${submission.policyNumber}`;
  const held = atFacts.policies[policyKey]?.issuanceDate ?? null;
  const authority = authorityFindings(submission, organization, held);
  const mayKnow = authority.every((finding) => !finding.startsWith('NOT_AUTHORIZED'));
  const registered = mayKnow
    ? atFacts.records.find(
        (record) => record.policyKey === policyKey && record.cocNumber === submission.cocNumber,
      )
    : undefined;
  const period = periodOf(submission.effectiveDate, submission.expirationDate);
  const verdict = judge(submission, authority, today, matches, [
    ...(registered === undefined ? [] : [numberFinding(registered, submission)]),
    ...submission.vehicles.flatMap(({ ids }, index) =>
      period === undefined
        ? []
        : insuredFinding(
            index,
            holders(
              atCovers,
              everyName(atFacts, ids, matches[index]?.owners ?? []),
              period,
              registered?.key,
            ),
          ),
    ),
  ]);
  const { flags } = withRelated(readStates, verdict, matches, undefined);
  const warnings = [
    ...verdict.warnings,
    ...(mayKnow ? policyWarnings(atFacts, policyKey, submission) : []),
  ].sort();
  const isRejected = verdict.errors.length > 0;
  const head = {
    kind: 'CREATE' as const,
    replayed: false,
    externalTransactionId: body.externalTransactionId,
    policyNumber: submission.policyNumber,
    cocNumber: submission.cocNumber,
    plateNumbers: submission.vehicles.flatMap(({ ids }) => ids.plateNumber ?? []),
    errors: [...verdict.errors].sort(),
    warnings,
    flags: flagTexts(flags),
    referenceMatches: verdict.referenceMatches,
  };
  if (isRejected) {
    return {
      ack: { ...head, status: 'REJECTED', record: null, version: null, coverageStatus: null },
      errorCode: topCode(verdict.errors),
    };
  }
  state.policies[policyKey] ??= { ...submission.policy, pool: submission.pool };
  const entries = submission.vehicles.map((vehicle, index): Entry => {
    const canonical = adopt(state, vehicle.ids, matches[index]?.canonical);
    return { vehicle, canonical, held: [], addedInVersion: 1, removedInVersion: null, left: null };
  });
  for (const entry of entries) entry.held = [...(state.vehicles[entry.canonical]?.owned ?? [])];
  const record: ModelRecord = {
    key: `${organization}/${body.externalTransactionId}`,
    insurer: submission.insurer ?? '',
    transmitter: organization,
    policyKey,
    policyNumber: submission.policyNumber ?? '',
    cocNumber: submission.cocNumber ?? '',
    effectiveDate: submission.effectiveDate ?? '',
    expirationDate: submission.expirationDate ?? '',
    verification: submission.verification,
    operator: submission.operator,
    lifecycle: 'CURRENT',
    version: 1,
    entries,
    flags: flags.map(
      ({ type, index, plateNumber, related }): ModelFlag => ({
        type,
        plateNumber,
        related,
        canonical: entries[index]?.canonical ?? -1,
        status: 'OPEN',
      }),
    ),
    amendments: [],
    cancelledAsOf: null,
    isIssuedInError: false,
  };
  state.records.push(record);
  return {
    ack: {
      ...head,
      status: flags.length > 0 ? 'FLAGGED' : 'ACCEPTED',
      record: record.key,
      version: 1,
      coverageStatus: coverageStatus(today, record),
    },
    errorCode: null,
  };
}

export function flagTexts(flags: readonly RaisedFlag[]): string[] {
  return flags
    .map(({ type, plateNumber, related }) => `${type} ${plateNumber}${relatedText(related)}`)
    .sort();
}

function numberFinding(record: ModelRecord, submission: Submission): string {
  const signatures = (vehicles: readonly { readonly ids: object }[]) =>
    vehicles.map(({ ids }) => JSON.stringify(ids)).sort();
  const held = signatures(present(record).map(({ vehicle }) => vehicle));
  const isSame = JSON.stringify(signatures(submission.vehicles)) === JSON.stringify(held);
  const code = isSame ? 'DUPLICATE_TRANSMISSION' : 'COC_ALREADY_REGISTERED';
  return `${code} certificate.cocNumber of ${record.key}`;
}

/** A registered policy keeps its details; warnings name the details that differ. */
function policyWarnings(state: ModelState, policyKey: string, submission: Submission): string[] {
  const registered = state.policies[policyKey];
  if (registered === undefined) return [];
  const { pool, ...details } = registered;
  const sent = Object.entries(submission.policy);
  return [
    ...sent.flatMap(([name, value]) =>
      value === details[name as keyof typeof details] ? [] : `POLICY_DETAILS_DIFFER policy.${name}`,
    ),
    ...(pool === submission.pool ? [] : ['POLICY_DETAILS_DIFFER poolCode']),
  ];
}
