import { type Finding, makeFinding } from '../../contract/findings.ts';
import type { AmendmentBody } from '../../contract/machine/amendment.ts';
import { assertPresent } from '../assert-present.ts';
import { coverageStatusOn } from '../coverage-status.ts';
import { identifiersBeyond } from '../identifiers.ts';
import { acknowledge, type TransmissionHead } from '../presentation/acknowledge.ts';
import { isCleared, newFlags, resolvedFlags } from '../registration/plan-flags.ts';
import { type Allotted, type Outcome, rejectedOutcome } from '../registration/plan-registration.ts';
import { keptForm, planVehicle, sentOtherwise } from '../registration/plan-vehicles.ts';
import { findSentPath } from '../registration/sent-path.ts';
import { platesOf, vehicleSignature } from '../registration/submission.ts';
import {
  concatReadSets,
  noWrites,
  type RecordChanges,
  type VehicleRow,
} from '../registration/writes.ts';
import { checkRecordAuthority } from '../rules/authority.ts';
import type { Facts } from '../rules/facts.ts';
import { coveredBefore, reservationsOn } from '../rules/held-before.ts';
import { judge, type Verdict } from '../rules/judge.ts';
import { RECORD_STAYS_CANCELLED, refuse } from '../rules/refuse.ts';
import { normalizeText } from '../text.ts';
import type { Amending } from './amending.ts';
import type { AmendedRecord } from './apply-changes.ts';
import { diffRecord, policyLevelPaths } from './diff.ts';
import { type CurrentRecord, knownVehicles, vehicleAt } from './record.ts';
import { separateReplaced } from './replaced-vehicles.ts';

/**
 * Decides an AMEND (D14): the amended record passes the same four levels as a new one and becomes the next version.
 * `facts` belong to the amended submission; their blockers do not include the record itself. The transmitter needs authority
 * for the policy before and after the change (D28).
 */
export function decideAmendment(
  head: TransmissionHead,
  record: CurrentRecord,
  body: AmendmentBody,
  applied: AmendedRecord,
  facts: Facts,
  allotted: Omit<Allotted, 'sequence' | 'registryReference'>,
  findings: readonly Finding[],
): Outcome {
  const unauthorized = checkRecordAuthority(record, facts);
  if (unauthorized.length > 0) return refuse(head, [...findings, ...unauthorized], []);
  const conflict = findStateConflict(record, body);
  if (conflict !== undefined) return refuse(head, [conflict], platesOf(record.submission));
  const amended = separateReplaced(applied, facts.vehicles);
  const diff = diffRecord(record, amended);
  const amending = {
    current: record.submission,
    findSentPath: (path: string) => findSentPath(path, body.changes, amended.vehicles),
  };
  const verdict = judgeAmendment(record, amended, facts, amending, [
    ...findings,
    ...amended.findings,
    ...checkSharedPolicy(record, policyLevelPaths(diff)),
    ...(diff.length === 0 && amended.findings.length === 0
      ? [
          makeFinding(
            'NO_CHANGES',
            'changes',
            'The record has all these values already; there is nothing to change.',
          ),
        ]
      : []),
  ]);
  const plates = platesOf(amended.submission);
  if (verdict.status === 'REJECTED') {
    return rejectedOutcome(head, verdict, plates);
  }
  const { certificate } = amended.submission;
  const dates = {
    lifecycle: record.lifecycle,
    effectiveDate: assertPresent(certificate.effectiveDate),
    expirationDate: assertPresent(certificate.expirationDate),
  };
  return {
    verdict,
    certificateId: record.certificateId,
    acknowledgment: acknowledge(head, verdict, plates, {
      registryReference: record.registryReference,
      coverageStatus: coverageStatusOn(facts.today, dates, facts.ruleSet.expiringWithinDays),
      version: record.version + 1,
    }),
    ...planAmendment({ record, body, amended, facts, verdict, allotted, diff }),
  };
}

/** The finding that ends the decision early: the record is cancelled, or its version is not the expected one. */
function findStateConflict(
  record: CurrentRecord,
  { expectedVersion }: AmendmentBody,
): Finding | undefined {
  if (record.lifecycle === 'CANCELLED') {
    return makeFinding('RECORD_CANCELLED', null, RECORD_STAYS_CANCELLED);
  }
  if (expectedVersion === null || expectedVersion === undefined) return undefined;
  return expectedVersion === record.version
    ? undefined
    : makeFinding(
        'VERSION_MISMATCH',
        'expectedVersion',
        `The record is at version ${record.version}; read it again before you amend it.`,
      );
}

function checkSharedPolicy(record: CurrentRecord, paths: readonly string[]): Finding[] {
  if (record.certificatesSharingPolicy === 0) return [];
  return paths.map((path) =>
    makeFinding(
      'POLICY_SHARED_BY_OTHER_CERTIFICATES',
      `changes.${path}`,
      `Certificates that share the policy: ${record.certificatesSharingPolicy} more, cancelled ones included; its details cannot change. Leave this out, or cancel the record and transmit the certificate under another policy number.`,
    ),
  );
}

function judgeAmendment(
  record: CurrentRecord,
  amended: AmendedRecord,
  facts: Facts,
  amending: Amending,
  findings: readonly Finding[],
): Verdict {
  const covered = amended.vehicles.flatMap(({ place }, position) => {
    const vehicle = coveredBefore(record, amended, place);
    return vehicle === undefined ? [] : [[position, vehicle] as const];
  });
  // The certificate number is the record's own, and the amendment may change the policy. Neither counts as a conflict.
  const verdict = judge(
    amended.submission,
    { ...facts, registered: null, policy: null },
    {
      findings,
      knownVehicles: knownVehicles(amended.vehicles),
      coveredVehicles: new Map(covered),
      hasRegisteredNumbers: true,
      amending,
    },
  );
  if (verdict.status !== 'FLAGGED') return verdict;
  const flags = verdict.flags.filter((flag) => !isCleared(flag, record, amended));
  return { ...verdict, flags, status: flags.length > 0 ? 'FLAGGED' : 'ACCEPTED' };
}

interface AmendmentParts {
  readonly record: CurrentRecord;
  readonly body: AmendmentBody;
  readonly amended: AmendedRecord;
  readonly facts: Facts;
  readonly verdict: Verdict;
  readonly allotted: Omit<Allotted, 'sequence' | 'registryReference'>;
  readonly diff: ReturnType<typeof diffRecord>;
}

function planAmendment({
  record,
  body,
  amended,
  facts,
  verdict,
  allotted: { transmissionId, now, newId },
  diff,
}: AmendmentParts): Pick<Outcome, 'writes' | 'changes'> {
  const { certificateId } = record;
  const version = record.version + 1;
  const { policy, certificate, operator } = amended.submission;
  const cover = {
    certificateId,
    from: assertPresent(certificate.effectiveDate),
    to: assertPresent(certificate.expirationDate),
  };
  const before = amended.vehicles.map(({ place }) => coveredBefore(record, amended, place));
  const planned = verdict.matched.map((match, position) =>
    planVehicle(match, cover, newId, before[position]),
  );
  let ordinal = record.nextOrdinal;
  const rows = planned.map(({ row }, position) => {
    const { vehicle, place } = assertPresent(amended.vehicles[position]);
    return {
      isNew: place === undefined,
      row: {
        certificateId,
        ordinal: place?.ordinal ?? ordinal++,
        vehicleId: row.id,
        registered: keptForm(vehicle),
        transmitted: sentOtherwise(vehicle),
        referenceMatch: assertPresent(verdict.referenceMatches[position]).result,
      },
    };
  });
  const newReservations = planned.flatMap((one, position) => {
    const { vehicle } = assertPresent(amended.vehicles[position]);
    const covered = before[position];
    if (covered?.vehicleId !== one.row.id) return one.reservations;
    return reservationsOn(one, [
      ...identifiersBeyond(vehicle, covered.identifiers),
      ...one.identifiers,
    ]);
  });
  const flagged = newFlags(verdict.flags, planned, record.flags);
  const changes: RecordChanges = {
    certificateId,
    cancellation: null,
    amendment: {
      id: newId(),
      fromVersion: record.version,
      toVersion: version,
      reason: normalizeText(body.reason) ?? '',
      diff,
      transmissionId,
      createdAt: now,
    },
    certificate: {
      version,
      effectiveDate: cover.from,
      expirationDate: cover.to,
      insurerVerificationReference: certificate.insurerVerificationReference,
      operatorId: record.operatorId,
      operator,
      operatorRegion: assertPresent(operator.region),
    },
    policy:
      policyLevelPaths(diff).length === 0
        ? null
        : {
            id: record.policyId,
            issuingInsurerId: assertPresent(facts.issuingInsurer).id,
            policyNumber: assertPresent(policy.policyNumber),
            issuanceDate: assertPresent(policy.issuanceDate),
            coverageType: assertPresent(policy.coverageType),
            premiumAmount: policy.premiumAmount,
            officialReceiptNumber: policy.officialReceiptNumber,
            remarks: policy.remarks,
            poolId: facts.pool?.id ?? null,
          },
    changedVehicles: rows.flatMap(({ isNew, row }) => (isNew ? [] : row)),
    removedOrdinals: amended.removed.map((place) => place.ordinal),
    held: planned.flatMap(({ held }) => held),
    resolvedFlagIds: resolvedFlags(verdict, planned, record.flags),
  };
  return {
    changes,
    writes: {
      ...noWrites(),
      readSet: concatReadSets(planned.map(({ readSet }) => readSet)),
      vehicles: planned.flatMap(({ row }, position) => changedRow(record, amended, position, row)),
      identifiers: planned.flatMap(({ identifiers }) => identifiers),
      reservations: newReservations,
      certificateVehicles: rows.flatMap(({ isNew, row }) =>
        isNew ? { ...row, addedInVersion: version } : [],
      ),
      versions: [
        { certificateId, version, transmissionId, createdAt: now, snapshot: amended.submission },
      ],
      flags: flagged.map(({ flag, vehicleId }) => ({
        id: newId(),
        type: flag.type,
        certificateId,
        vehicleId,
        relatedCertificateId: flag.related?.certificateId ?? null,
        plateNumber: flag.plateNumber,
        region:
          assertPresent(amended.vehicles[flag.position]).vehicle.region ??
          assertPresent(operator.region),
        details: flag.details,
        message: flag.message,
        createdAt: now,
      })),
    },
  };
}

/** True if the vehicle at a position is new on the record, or if its identifiers on the record change. */
function isRenamed(record: CurrentRecord, { vehicles }: AmendedRecord, position: number): boolean {
  const { vehicle, place } = assertPresent(vehicles[position]);
  const current = place && vehicleAt(record, place);
  return current === undefined || vehicleSignature(current) !== vehicleSignature(vehicle);
}

/**
 * The canonical vehicle takes the values of a vehicle that the amendment changes (D10). An unchanged vehicle writes nothing,
 * because a later certificate may have newer values.
 */
function changedRow(
  record: CurrentRecord,
  amended: AmendedRecord,
  position: number,
  row: VehicleRow,
): VehicleRow[] {
  const { vehicle, place } = assertPresent(amended.vehicles[position]);
  if (place !== undefined && vehicleAt(record, place) === vehicle) return [];
  return [{ ...row, isRenamed: isRenamed(record, amended, position) }];
}
