import type { Acknowledgment } from '../../contract/machine/acknowledgment.ts';
import { assertPresent } from '../assert-present.ts';
import { coverageStatusOn } from '../coverage-status.ts';
import { acknowledge, type TransmissionHead } from '../presentation/acknowledge.ts';
import type { Facts, RegisteredPolicy } from '../rules/facts.ts';
import { type JudgeOptions, judge, type Verdict } from '../rules/judge.ts';
import type { MatchedVehicle } from '../rules/matching.ts';
import {
  keptForm,
  type PlannedVehicle,
  planUnknown,
  planVehicle,
  sentOtherwise,
} from './plan-vehicles.ts';
import { platesOf, type Submission } from './submission.ts';
import {
  type Cover,
  concatReliance,
  noWrites,
  type RecordChanges,
  type RegistryWrites,
  type Revision,
  type VehicleRow,
} from './writes.ts';

/** The end of a transmission: what it is answered and what the registry writes with it. */
export interface Outcome {
  readonly verdict: Verdict;
  readonly acknowledgment: Acknowledgment;
  readonly certificateId: string | null;
  readonly writes: RegistryWrites;
  /** What changes of a record that exists; null for a registration or a rejection. */
  readonly changes: RecordChanges | null;
}

/** What only the world outside can give a plan: new names and the time. */
export interface Allotted {
  readonly transmissionId: string;
  readonly sequence: number;
  readonly registryReference: string;
  readonly now: Date;
  readonly newId: () => string;
}

/** A CREATE decided: rejected with nothing to write, or registered at version 1. */
export function decideRegistration(
  head: TransmissionHead,
  submission: Submission,
  facts: Facts,
  allotted: Allotted,
  options: JudgeOptions = {},
): Outcome {
  const verdict = judge(submission, facts, options);
  const plates = platesOf(submission);
  if (verdict.status === 'REJECTED') {
    const acknowledgment = acknowledge(head, verdict, plates, null);
    return { verdict, acknowledgment, certificateId: null, writes: noWrites(), changes: null };
  }
  const certificateId = allotted.newId();
  const dates = {
    lifecycle: 'CURRENT' as const,
    effectiveDate: assertPresent(submission.certificate.effectiveDate),
    expirationDate: assertPresent(submission.certificate.expirationDate),
  };
  return {
    verdict,
    certificateId,
    changes: null,
    acknowledgment: acknowledge(head, verdict, plates, {
      registryReference: allotted.registryReference,
      coverageStatus: coverageStatusOn(facts.today, dates, facts.ruleSet.expiringWithinDays),
      version: 1,
    }),
    writes: planRegistration(submission, facts, verdict, certificateId, allotted),
  };
}

function planRegistration(
  submission: Submission,
  facts: Facts,
  verdict: Verdict,
  certificateId: string,
  { transmissionId, sequence, registryReference, now, newId }: Allotted,
): RegistryWrites {
  const { policy, certificate, operator } = submission;
  const issuingInsurerId = assertPresent(facts.issuingInsurer).id;
  const policyId = facts.policy?.id ?? newId();
  const cover = {
    certificateId,
    from: assertPresent(certificate.effectiveDate),
    to: assertPresent(certificate.expirationDate),
  };
  const planned = planVehicles(verdict, cover, newId);
  return {
    ...planned.writes,
    reliesOn: concatReliance([...planned.reliesOn, { policies: joinedPolicy(facts.policy) }]),
    policies:
      facts.policy !== null
        ? []
        : [
            {
              id: policyId,
              issuingInsurerId,
              policyNumber: assertPresent(policy.policyNumber),
              issuanceDate: assertPresent(policy.issuanceDate),
              coverageType: assertPresent(policy.coverageType),
              premiumAmount: policy.premiumAmount,
              officialReceiptNumber: policy.officialReceiptNumber,
              remarks: policy.remarks,
              poolId: facts.pool?.id ?? null,
            },
          ],
    certificates: [
      {
        id: certificateId,
        registryReference,
        sequence,
        policyId,
        cocNumber: assertPresent(certificate.cocNumber),
        issuingInsurerId,
        transmittingOrganizationId: facts.submitter.id,
        effectiveDate: cover.from,
        expirationDate: cover.to,
        insurerVerificationReference: certificate.insurerVerificationReference,
        operatorId: newId(),
        operator,
        operatorRegion: assertPresent(operator.region),
        registeredAt: now,
      },
    ],
    versions: [
      {
        certificateId,
        version: 1,
        transmissionId,
        createdAt: now,
        snapshot: asRegistered(submission, facts.policy),
      },
    ],
    flags: verdict.flags.map((flag) => ({
      id: newId(),
      type: flag.type,
      certificateId,
      vehicleId: assertPresent(planned.writes.vehicles[flag.position]).id,
      relatedCertificateId: flag.related?.certificateId ?? null,
      plateNumber: flag.plateNumber,
      region:
        assertPresent(verdict.matched[flag.position]).vehicle.region ??
        assertPresent(operator.region),
      details: flag.details,
      message: flag.message,
      createdAt: now,
    })),
  };
}

/** What the vehicles write, and what those that are known rely on. */
interface PlannedVehicles {
  readonly writes: Pick<
    RegistryWrites,
    'vehicles' | 'identifiers' | 'claims' | 'certificateVehicles'
  >;
  readonly reliesOn: PlannedVehicle['reliesOn'][];
}

function planVehicles(
  { matched, referenceMatches }: Verdict,
  cover: Cover,
  newId: () => string,
): PlannedVehicles {
  const planned: PlannedVehicles = {
    writes: { vehicles: [], identifiers: [], claims: [], certificateVehicles: [] },
    reliesOn: [],
  };
  for (const [ordinal, match] of matched.entries()) {
    const row =
      match.matches.length === 0
        ? planUnknown(match, cover, newId())
        : planKnown(planned, match, cover, newId);
    planned.writes.vehicles.push(row);
    planned.writes.certificateVehicles.push({
      certificateId: cover.certificateId,
      ordinal,
      vehicleId: row.id,
      registered: keptForm(match.vehicle),
      transmitted: sentOtherwise(match.vehicle),
      referenceMatch: assertPresent(referenceMatches[ordinal]).result,
      addedInVersion: 1,
    });
  }
  return planned;
}

function planKnown(
  { writes, reliesOn }: PlannedVehicles,
  match: MatchedVehicle,
  cover: Cover,
  newId: () => string,
): VehicleRow {
  const known = planVehicle(match, cover, newId);
  writes.identifiers.push(...known.identifiers);
  writes.claims.push(...known.claims);
  reliesOn.push(known.reliesOn);
  return known.row;
}

function joinedPolicy(policy: RegisteredPolicy | null): Revision[] {
  if (policy === null || policy.revision === null) return [];
  return [{ id: policy.id, revision: policy.revision }];
}

/** The submission with the details that its policy is registered with, where it already is. */
export function asRegistered(submission: Submission, policy: RegisteredPolicy | null): Submission {
  if (policy === null) return submission;
  return {
    ...submission,
    poolCode: policy.poolCode,
    policy: {
      policyNumber: submission.policy.policyNumber,
      issuanceDate: policy.issuanceDate,
      coverageType: policy.coverageType,
      premiumAmount: policy.premiumAmount === null ? null : Number(policy.premiumAmount),
      officialReceiptNumber: policy.officialReceiptNumber,
      remarks: policy.remarks,
    },
  };
}
