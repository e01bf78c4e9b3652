import { IDENTIFIER_KINDS, type IdentifierKind } from '../../shared/contract/enums.ts';
import type { AmendmentBody } from '../../shared/contract/machine/amendment.ts';
import type { CancellationBody } from '../../shared/contract/machine/cancellation.ts';
import type { TransmissionBody, VehicleBody } from '../../shared/contract/machine/transmission.ts';
import { manilaDate, plusDays } from './calendar.ts';
import {
  type AmendDeed,
  type CancelDeed,
  type DaySpec,
  NAMES,
  type PeriodSpec,
  type TransmitDeed,
  type VehicleSpec,
} from './deeds.ts';
import { FAULTS } from './registry/faults.ts';
import type { SubmittingRequest } from './rules/reading/request.ts';
import type { ModelRecord, ModelState } from './rules/state.ts';
import { present } from './rules/vehicles.ts';

/** Where a sequence stands when a deed is done. */
export interface Situation {
  /** Part of every number and identifier of the sequence, so that no other sequence meets them. */
  readonly space: string;
  readonly start: Date;
  readonly now: Date;
  readonly state: ModelState;
  /** What was submitted so far. */
  readonly submitted: readonly SubmittingRequest[];
  /** Counts the deeds; no two have the same. */
  readonly deed: number;
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

/** The last one is the same text for all kinds. */
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

export function transmissionBody(deed: TransmitDeed, at: Situation): TransmissionBody {
  const { from, to } = periodOf(deed.period, at);
  const body: TransmissionBody = {
    externalTransactionId: `EXT-${at.space}-${at.deed}`,
    issuingInsurerCode: deed.insurer,
    poolCode: deed.pool,
    policy: {
      policyNumber: policyNumber(deed.policy, at),
      issuanceDate: dayOf(deed.issued, at),
      coverageType: 'PPAI_STANDARD',
      premiumAmount: 1250.5,
      remarks: deed.remarks,
    },
    certificate: {
      cocNumber: `COC-${at.space}-${deed.coc ?? `n${at.deed}`}`,
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
    vehicles: deed.vehicles.map((vehicle) => vehicleBody(vehicle, at)),
  };
  const twin = deed.twin === undefined ? undefined : picked(at.state.records, deed.twin.record);
  if (twin !== undefined) repeatCertificate(body, twin, deed.twin?.isSame === true);
  if (deed.fault !== undefined) FAULTS[deed.fault](body);
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

export function amendmentBody(deed: AmendDeed, record: ModelRecord, at: Situation): AmendmentBody {
  const { issued, ...policy } = deed.policy;
  const wrong = record.version + 1;
  return {
    externalTransactionId: `EXT-${at.space}-${at.deed}`,
    reason: deed.malformed ? ' ' : 'The insurer corrects the record',
    ...(deed.expected === undefined
      ? {}
      : { expectedVersion: deed.expected === 'right' ? record.version : wrong }),
    changes: {
      ...(deed.identity === 'same' ? { issuingInsurerCode: record.insurer } : {}),
      ...(deed.identity === 'insurer' ? { issuingInsurerCode: 'INS-OTHER' } : {}),
      ...(deed.pool === undefined ? {} : { poolCode: deed.pool }),
      policy: {
        ...policy,
        ...(issued === undefined ? {} : { issuanceDate: dayOf(issued, at) }),
        ...(deed.identity === 'policy' ? { policyNumber: 'OTHER' } : {}),
      },
      certificate: {
        ...amendedDates(deed, record, at),
        ...(deed.verification === undefined
          ? {}
          : { insurerVerificationReference: deed.verification }),
        ...(deed.identity === 'coc' ? { cocNumber: null } : {}),
      },
      operator: deed.operator,
      vehicles: amendedVehicles(deed, record, at),
    },
  };
}

function amendedDates(
  { start, end, behind }: AmendDeed,
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
  { add, remove, update }: AmendDeed,
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
  { asOf, reasonCode, fault }: CancelDeed,
  record: ModelRecord,
  at: Situation,
): CancellationBody {
  return {
    externalTransactionId: `EXT-${at.space}-${at.deed}`,
    policyNumber: fault === 'policyNumber' ? 'OTHER' : record.policyNumber,
    cocNumber: fault === 'cocNumber' ? 'OTHER' : record.cocNumber,
    cancellationEffectiveDate: dayOf(asOf, at),
    reasonCode: fault === 'reasonCode' ? 'BORED' : reasonCode,
    reasonText: 'The operator sold the vehicle',
  };
}
