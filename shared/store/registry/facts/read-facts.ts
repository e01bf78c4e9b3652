import type { Scope } from '../../../contract/enums.ts';
import type { Tx } from '../../../db/prisma.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { identifierText, presentIdentifiers } from '../../../domain/identifiers.ts';
import type { Submission } from '../../../domain/registration/submission.ts';
import type { CanonicalVehicle, Facts } from '../../../domain/rules/facts.ts';
import { type FactRows, queryFacts } from './query-facts.ts';

/** A submission and its sender. */
export interface FactsQuestion {
  readonly submission: Submission;
  readonly organizationId: string;
  readonly apiClientId: string | null;
  readonly neededScope: Scope;
}

export interface FactsMoment {
  /** Selects the active rule set. */
  readonly now: Date;
  /** The registry's date, YYYY-MM-DD (D8). */
  readonly today: string;
}

/**
 * Reads the facts that a batch of submissions is judged against, one answer for each question in their order. One statement
 * reads all of them and writes nothing. `blockers` and `related` are empty: `readBlockers` and `readRelated` read these.
 */
export async function readFacts(
  tx: Tx,
  questions: readonly FactsQuestion[],
  { now, today }: FactsMoment,
): Promise<Facts[]> {
  const names = {
    submissions: questions.map(({ submission }) => submission),
    organizationIds: questions.map(({ organizationId }) => organizationId),
    apiClientIds: questions.flatMap(({ apiClientId }) => apiClientId ?? []),
  };
  const rows = await queryFacts(tx, names, now);
  const vehicles = canonicalVehiclesOf(rows);
  return questions.map((question) => factsFor(question, rows, vehicles, today));
}

function factsFor(
  { submission, organizationId, apiClientId, neededScope }: FactsQuestion,
  rows: FactRows,
  vehicles: readonly CanonicalVehicle[],
  today: string,
): Facts {
  const { issuingInsurerCode, poolCode, policy, certificate } = submission;
  const organizations = rows.organizations ?? [];
  const submitter = organizations.find(({ id }) => id === organizationId);
  if (submitter === undefined) throw new Error('the transmitting organization is not registered');
  const client = rows.clients?.find(({ id }) => id === apiClientId);
  const isPolicy = (row: { insurerCode: string; policyNumber: string }) =>
    row.insurerCode === issuingInsurerCode && row.policyNumber === policy.policyNumber;
  return {
    today,
    ruleSet: rows.ruleSet,
    submitter,
    client: client === undefined ? null : { ...client, neededScope },
    issuingInsurer: organizations.find(({ code }) => code === issuingInsurerCode) ?? null,
    pool: organizations.find(({ code }) => code === poolCode) ?? null,
    memberships: (rows.memberships ?? []).filter((one) => one.insurerCode === issuingInsurerCode),
    policy: rows.policies?.find(isPolicy) ?? null,
    registered:
      rows.registered?.find((row) => isPolicy(row) && row.cocNumber === certificate.cocNumber) ??
      null,
    vehicles: vehiclesNamedBy(submission, vehicles),
    blockers: [],
    related: [],
    referenceRegions: rows.referenceRegions ?? [],
    referenceVehicles: rows.referenceVehicles ?? [],
  };
}

function canonicalVehiclesOf(rows: FactRows): CanonicalVehicle[] {
  const certificates = groupBy(rows.certificates ?? [], ({ vehicleId }) => vehicleId);
  const identifiers = groupBy(rows.identifiers ?? [], ({ vehicleId }) => vehicleId);
  return [...identifiers].map(([id, own]) => ({
    id,
    revision: rows.revisions?.[id] ?? '',
    identifiers: own.map(({ kind, value, rank }) => ({ kind, value, rank })),
    certificates: (certificates.get(id) ?? []).map(({ certificateId, revision, from, to }) => ({
      certificateId,
      revision,
      period: { from, to },
    })),
  }));
}

/** The canonical vehicles that own an identifier of the submission. */
function vehiclesNamedBy(
  submission: Submission,
  vehicles: readonly CanonicalVehicle[],
): CanonicalVehicle[] {
  const texts = new Set(submission.vehicles.flatMap(presentIdentifiers).map(identifierText));
  return vehicles.filter(({ identifiers }) =>
    identifiers.some((one) => texts.has(identifierText(one))),
  );
}
