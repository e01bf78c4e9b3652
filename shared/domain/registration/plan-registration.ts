import type { Acknowledgment } from '../../contract/machine/acknowledgment.ts';
import { assertPresent } from '../assert-present.ts';
import { coverageStatusOn } from '../coverage-status.ts';
import { acknowledge, type TransmissionHead } from '../presentation/acknowledge.ts';
import type { Facts, RegisteredPolicy } from '../rules/facts.ts';
import { type JudgeOptions, judge, type Verdict } from '../rules/judge.ts';
import { keptForm, type PlannedVehicle, planVehicle, sentOtherwise } from './plan-vehicles.ts';
import { platesOf, type Submission } from './submission.ts';
import {
  type CertificateVehicleRow,
  concatReadSets,
  type NewPolicy,
  noWrites,
  type RecordChanges,
  type RegistryWrites,
  type Revision,
} from './writes.ts';

/** The result of a transmission: its answer, and the rows that the registry writes with it. */
export interface Outcome {
  readonly verdict: Verdict;
  readonly acknowledgment: Acknowledgment;
  readonly certificateId: string | null;
  readonly writes: RegistryWrites;
  /** The changes to an existing record; null for a registration or a rejection. */
  readonly changes: RecordChanges | null;
}

/** The ids and the time that a decision needs and cannot make itself, because it is pure. */
export interface Allotted {
  readonly transmissionId: string;
  readonly sequence: number;
  readonly registryReference: string;
  readonly now: Date;
  readonly newId: () => string;
}

/** Decides a CREATE: it is rejected and writes nothing, or it is registered as version 1. */
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
    return rejectedOutcome(head, verdict, plates);
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

/** The outcome of a rejection, which writes nothing. */
export function rejectedOutcome(
  head: TransmissionHead,
  verdict: Verdict,
  plates: ReturnType<typeof platesOf>,
): Outcome {
  const acknowledgment = acknowledge(head, verdict, plates, null);
  return { verdict, acknowledgment, certificateId: null, writes: noWrites(), changes: null };
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
  const planned = verdict.matched.map((match) => planVehicle(match, cover, newId));
  return {
    vehicles: planned.map(({ row }) => row),
    identifiers: planned.flatMap(({ identifiers }) => identifiers),
    reservations: planned.flatMap(({ reservations }) => reservations),
    certificateVehicles: planned.map((vehicle, ordinal) =>
      makeCertificateVehicle(certificateId, ordinal, verdict, vehicle),
    ),
    readSet: concatReadSets([
      ...planned.map(({ readSet }) => readSet),
      { policies: joinedPolicy(facts.policy) },
    ]),
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
      vehicleId: assertPresent(planned[flag.position]).row.id,
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

function makeCertificateVehicle(
  certificateId: string,
  ordinal: number,
  { matched, referenceMatches }: Verdict,
  { row }: PlannedVehicle,
): CertificateVehicleRow {
  const { vehicle } = assertPresent(matched[ordinal]);
  return {
    certificateId,
    ordinal,
    vehicleId: row.id,
    registered: keptForm(vehicle),
    transmitted: sentOtherwise(vehicle),
    referenceMatch: assertPresent(referenceMatches[ordinal]).result,
    addedInVersion: 1,
  };
}

function joinedPolicy(policy: RegisteredPolicy | null): Revision[] {
  if (policy === null || policy.revision === null) return [];
  return [{ id: policy.id, revision: policy.revision }];
}

/** A new policy in the form of a registered one, for other certificates of the same batch. It has no revision yet. */
export function policyAsRegistered(policy: NewPolicy, poolCode: string | null): RegisteredPolicy {
  return {
    id: policy.id,
    revision: null,
    issuanceDate: policy.issuanceDate,
    coverageType: policy.coverageType,
    premiumAmount: policy.premiumAmount === null ? null : String(policy.premiumAmount),
    officialReceiptNumber: policy.officialReceiptNumber,
    remarks: policy.remarks,
    poolId: policy.poolId,
    poolCode,
  };
}

/** The submission with the registered details of its policy, if the policy is registered already. */
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
