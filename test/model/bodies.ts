import { IDENTIFIER_KINDS, type IdentifierKind } from '../../shared/contract/enums.ts';
import type { AmendmentBody } from '../../shared/contract/machine/amendment.ts';
import type { CancellationBody } from '../../shared/contract/machine/cancellation.ts';
import type { TransmissionBody, VehicleBody } from '../../shared/contract/machine/transmission.ts';
import { manilaDate, plusDays } from './calendar.ts';
import { FAULTS } from './registry/faults.ts';
import {
  type AmendSpec,
  type CancelSpec,
  type DaySpec,
  NAMES,
  type PeriodSpec,
  type TransmitSpec,
  type VehicleSpec,
} from './request-specs.ts';
import type { SubmittingRequest } from './rules/reading/request.ts';
import type { ModelRecord, ModelState } from './rules/state.ts';
import { present } from './rules/vehicles.ts';

/** The state of a sequence when a request is made. */
export interface Situation {
  /** Part of every number and identifier of the sequence, so that sequences do not affect each other. */
  readonly space: string;
  readonly start: Date;
  readonly now: Date;
  readonly state: ModelState;
  /** The submissions so far. */
  readonly submitted: readonly SubmittingRequest[];
  /** The number of the request, which is unique. */
  readonly spec: number;
}

export function picked<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % Math.max(list.length, 1)];
}

export function dayOf(day: DaySpec, { now }: Situation): string {
  return typeof day === 'string' ? day : plusDays(manilaDate(now), day);
}

function periodOf(spec: PeriodSpec, { start, state }: Situation): { from: string; to: string } {
  const before = 'after' in spec ? picked(state.records, spec.after) : undefined;
  const from =
    'from' in spec
      ? plusDays(manilaDate(start), spec.from)
      : plusDays(before?.expirationDate ?? manilaDate(start), spec.gap);
  return { from, to: plusDays(from, spec.days) };
}

export function policyNumber(policy: number, { space }: Situation): string {
  return `POL-${space}-${policy}`;
}

const LETTERS: Readonly<Record<IdentifierKind, string>> = {
  plateNumber: 'P',
  mvFileNumber: 'M',
  engineNumber: 'E',
  chassisNumber: 'C',
};

/** Every identifier that a vehicle of the sequence may have, normalized. */
export function everyIdentifier(space: string): { kind: IdentifierKind; value: string }[] {
  return IDENTIFIER_KINDS.flatMap((kind) =>
    Array.from({ length: NAMES }, (_, index) => ({ kind, value: plainValue(kind, index, space) })),
  );
}

/** The last value is the same text for all kinds. */
function plainValue(kind: IdentifierKind, value: number, space: string): string {
  return `${value === NAMES - 1 ? 'S' : LETTERS[kind]}${space}${value}`;
}

export function identifierOf(
  kind: IdentifierKind,
  value: number,
  { space }: Situation,
  spelling: number,
): string {
  const plain = plainValue(kind, value, space);
  if (spelling === 0) return plain;
  return spelling === 1
    ? `${plain.slice(0, 3)}-${plain.slice(3)}`.toLowerCase()
    : ` ${plain.slice(0, 2)} ${plain.slice(2)}`;
}

export function identifiersOf(
  values: Partial<Record<IdentifierKind, number>>,
  at: Situation,
  spelling: number,
): Partial<Record<IdentifierKind, string>> {
  const entries = Object.entries(values) as [IdentifierKind, number][];
  return Object.fromEntries(
    entries.map(([kind, value]) => [kind, identifierOf(kind, value, at, spelling)]),
  );
}

function vehicleBody({ base, renamed, spelling, region }: VehicleSpec, at: Situation): VehicleBody {
  const values = { plateNumber: base, mvFileNumber: base, engineNumber: base, chassisNumber: base };
  return {
    ...identifiersOf({ ...values, ...renamed }, at, spelling),
    make: 'Isuzu',
    yearModel: 2020,
    vehicleType: 'JEEPNEY',
    denomination: 'PUJ',
    passengerCapacity: 20,
    region,
  };
}

export function transmissionBody(spec: TransmitSpec, at: Situation): TransmissionBody {
  const { from, to } = periodOf(spec.period, at);
  const body: TransmissionBody = {
    externalTransactionId: `EXT-${at.space}-${at.spec}`,
    issuingInsurerCode: spec.insurer,
    poolCode: spec.pool,
    policy: {
      policyNumber: policyNumber(spec.policy, at),
      issuanceDate: dayOf(spec.issued, at),
      coverageType: 'PPAI_STANDARD',
      premiumAmount: 1250.5,
      remarks: spec.remarks,
    },
    certificate: {
      cocNumber: `COC-${at.space}-${spec.coc ?? `n${at.spec}`}`,
      effectiveDate: from,
      expirationDate: to,
    },
    operator: {
      name: 'Maria Santos',
      operatorType: 'INDIVIDUAL',
      tin: '123-456-789-000',
      region: 'NCR',
      contactEmail: 'maria.santos@example.org',
      contactPhone: '+63 917 555 0142',
    },
    vehicles: spec.vehicles.map((vehicle) => vehicleBody(vehicle, at)),
  };
  const twin = spec.twin === undefined ? undefined : picked(at.state.records, spec.twin.record);
  if (twin !== undefined) repeatCertificate(body, twin, spec.twin?.isSame === true);
  if (spec.fault !== undefined) FAULTS[spec.fault](body);
  return body;
}

function repeatCertificate(body: TransmissionBody, record: ModelRecord, isSame: boolean): void {
  body.issuingInsurerCode = record.insurer;
  body.policy.policyNumber = record.policyNumber;
  body.certificate.cocNumber = record.cocNumber;
  if (!isSame) return;
  const [like] = body.vehicles;
  body.vehicles = present(record).map(({ vehicle }) => ({ ...like, ...vehicle.ids }));
}

export function amendmentBody(spec: AmendSpec, record: ModelRecord, at: Situation): AmendmentBody {
  const { issued, ...policy } = spec.policy;
  const wrong = record.version + 1;
  return {
    externalTransactionId: `EXT-${at.space}-${at.spec}`,
    reason: spec.malformed ? ' ' : 'The insurer corrects the record',
    ...(spec.expected === undefined
      ? {}
      : { expectedVersion: spec.expected === 'right' ? record.version : wrong }),
    changes: {
      ...(spec.identity === 'same' ? { issuingInsurerCode: record.insurer } : {}),
      ...(spec.identity === 'insurer' ? { issuingInsurerCode: 'INS-OTHER' } : {}),
      ...(spec.pool === undefined ? {} : { poolCode: spec.pool }),
      policy: {
        ...policy,
        ...(issued === undefined ? {} : { issuanceDate: dayOf(issued, at) }),
        ...(spec.identity === 'policy' ? { policyNumber: 'OTHER' } : {}),
      },
      certificate: {
        ...amendedDates(spec, record, at),
        ...(spec.verification === undefined
          ? {}
          : { insurerVerificationReference: spec.verification }),
        ...(spec.identity === 'coc' ? { cocNumber: null } : {}),
      },
      operator: spec.operator,
      vehicles: amendedVehicles(spec, record, at),
    },
  };
}

function amendedDates(
  { start, end, behind }: AmendSpec,
  record: ModelRecord,
  { state }: Situation,
): object {
  const before = behind === undefined ? undefined : picked(state.records, behind);
  if (before !== undefined) {
    const effectiveDate = plusDays(before.expirationDate, 1);
    return { effectiveDate, expirationDate: plusDays(effectiveDate, 30) };
  }
  return {
    ...(start === undefined ? {} : { effectiveDate: plusDays(record.effectiveDate, start) }),
    ...(end === undefined ? {} : { expirationDate: plusDays(record.expirationDate, end) }),
  };
}

function amendedVehicles(
  { add, remove, update }: AmendSpec,
  record: ModelRecord,
  at: Situation,
): object {
  const entries = present(record);
  const selector = (pick: number, kind: IdentifierKind) => ({
    [kind]: picked(entries, pick)?.vehicle.ids[kind] ?? identifierOf(kind, pick, at, 0),
  });
  return {
    ...(add === undefined ? {} : { add: [vehicleBody(add, at)] }),
    ...(remove === undefined ? {} : { remove: [selector(remove, 'plateNumber')] }),
    ...(update === undefined
      ? {}
      : {
          update: [
            {
              match: selector(update.vehicle, 'chassisNumber'),
              set: {
                ...identifiersOf(update.to, at, 0),
                ...(update.region === undefined ? {} : { region: update.region }),
              },
            },
          ],
        }),
  };
}

export function cancellationBody(
  { asOf, reasonCode, fault }: CancelSpec,
  record: ModelRecord,
  at: Situation,
): CancellationBody {
  return {
    externalTransactionId: `EXT-${at.space}-${at.spec}`,
    policyNumber: fault === 'policyNumber' ? 'OTHER' : record.policyNumber,
    cocNumber: fault === 'cocNumber' ? 'OTHER' : record.cocNumber,
    cancellationEffectiveDate: dayOf(asOf, at),
    reasonCode: fault === 'reasonCode' ? 'BORED' : reasonCode,
    reasonText: 'The operator sold the vehicle',
  };
}
