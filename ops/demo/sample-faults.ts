import type { FindingCode } from '../../shared/contract/findings.ts';
import type { TransmissionBody, VehicleBody } from '../../shared/contract/machine/transmission.ts';
import { addDays } from '../../shared/domain/calendar.ts';
import { type CertificateMaker, referenceStart, referenceVehicles } from './sample-certificates.ts';
import type { Expectation, SampleItem } from './sample-item.ts';
import { MODELS } from './sample-vehicles.ts';

/** Faults within one certificate. */
export function makeFaults(maker: CertificateMaker): SampleItem[] {
  return [
    ...makeMismatches(maker),
    ...makeInvalid(maker),
    ...makeUnauthorized(maker),
    ...makeMalformed(maker),
  ];
}

/** Level 4 warns and flags but never rejects (D21). */
function makeMismatches(maker: CertificateMaker): SampleItem[] {
  const item = (
    kind: string,
    vehicle: VehicleBody,
    expected: Expectation,
    effectiveDate?: string,
  ): SampleItem => ({
    kind,
    client: 'alpha',
    wave: 1,
    body: maker.certificate({
      insurer: 'INS-ALPHA',
      region: 'NCR',
      vehicles: [vehicle],
      ...(effectiveDate !== undefined && { effectiveDate }),
    }),
    expected,
  });
  const start = referenceStart(maker.run);
  const unknown = maker.vehicles(8, MODELS.taxi, 'NCR').map((vehicle) =>
    item('Vehicle that is not on file', vehicle, {
      status: 'FLAGGED',
      findings: ['REFERENCE_NO_MATCH'],
      flag: 'VEHICLE_MISMATCH',
    }),
  );
  const mistyped = referenceVehicles(1081, 1086, MODELS.taxi).map((vehicle) =>
    item(
      'Chassis number mistyped',
      { ...vehicle, chassisNumber: vehicle.chassisNumber?.replace('NCR', 'NCX') },
      { status: 'ACCEPTED', findings: ['REFERENCE_PARTIAL_MATCH'] },
      start,
    ),
  );
  const mixed = [1087, 1089, 1091, 1093].flatMap((first) => {
    const [one, other] = referenceVehicles(first, first + 1, MODELS.bus);
    if (one === undefined || other === undefined) return [];
    const { engineNumber, chassisNumber } = other;
    return item(
      'Plate and engine of two vehicles',
      { ...one, engineNumber, chassisNumber },
      { status: 'FLAGGED', findings: ['REFERENCE_FOR_REVIEW'], flag: 'VEHICLE_MISMATCH' },
      start,
    );
  });
  return [...unknown, ...mistyped, ...mixed];
}

/** Faults of levels 1 and 2. */
function makeInvalid(maker: CertificateMaker): SampleItem[] {
  const one = faulty(maker, 'VALIDATION_FAILED');
  const { today } = maker.run;
  return [
    ...one(6, 'Chassis number missing', ['REQUIRED'], ({ vehicles }) => ({
      vehicles: vehicles.map((vehicle) => ({ ...vehicle, chassisNumber: null })),
    })),
    ...one(6, 'Expires before it begins', ['INVALID_DATE_RANGE'], ({ certificate }) => ({
      certificate: { ...certificate, expirationDate: addDays(today, -30) },
    })),
    ...one(4, 'Cover of 500 days', ['COVERAGE_TOO_LONG'], ({ certificate }) => ({
      certificate: { ...certificate, expirationDate: addDays(today, 500) },
    })),
    ...one(3, 'Issued next week', ['INVALID_DATE_RANGE'], ({ policy }) => ({
      policy: { ...policy, issuanceDate: addDays(today, 7) },
    })),
    ...one(3, 'Unsupported coverage type', ['UNSUPPORTED_COVERAGE_TYPE'], ({ policy }) => ({
      policy: { ...policy, coverageType: 'PPAI_DELUXE' },
    })),
    ...one(3, 'One vehicle twice', ['DUPLICATE_IDENTIFIER_IN_PAYLOAD'], ({ vehicles }) => ({
      vehicles: [...vehicles, ...vehicles],
    })),
    ...one(3, 'Plate that cannot be one', ['INVALID_FORMAT'], ({ vehicles }) => ({
      vehicles: vehicles.map((vehicle) => ({ ...vehicle, plateNumber: 'NO PLATE YET' })),
    })),
    ...one(
      3,
      'Several faults at once',
      ['REQUIRED', 'INVALID_DATE_RANGE', 'INVALID_FORMAT'],
      ({ certificate, operator }) => ({
        certificate: { ...certificate, expirationDate: addDays(today, -1) },
        operator: { ...operator, name: '', contactEmail: 'no address' },
      }),
    ),
  ];
}

/** Faults of level 3, authority. */
function makeUnauthorized(maker: CertificateMaker): SampleItem[] {
  const one = faulty(maker, 'VALIDATION_FAILED');
  return [
    ...one(5, 'Unknown insurer', ['UNKNOWN_INSURER'], () => ({ issuingInsurerCode: 'INS-NOBODY' })),
    ...one(3, 'Insurer suspended', ['INSURER_NOT_ACTIVE'], () => ({
      issuingInsurerCode: 'INS-DORMANT',
    })),
    ...one(
      3,
      'Sent by a suspended insurer',
      ['ORGANIZATION_NOT_ACTIVE'],
      () => ({ issuingInsurerCode: 'INS-DORMANT' }),
      'dormant',
    ),
    ...one(
      3,
      "Another insurer's certificate",
      ['NOT_AUTHORIZED_TO_TRANSMIT'],
      () => ({ issuingInsurerCode: 'INS-CHARLIE' }),
      'bravo',
    ),
    ...one(
      3,
      'Pool that the insurer has left',
      ['POOL_MEMBERSHIP_NOT_FOUND'],
      () => ({ issuingInsurerCode: 'INS-CHARLIE', poolCode: 'POOL-NORTH' }),
      'charlie',
    ),
  ];
}

/** A body that the schema refuses is not recorded (D6). */
function makeMalformed(maker: CertificateMaker): SampleItem[] {
  return Array.from({ length: 3 }, (): SampleItem => {
    const body = maker.certificate({
      insurer: 'INS-ALPHA',
      region: 'III',
      vehicles: [maker.vehicle(MODELS.jeepney, 'III')],
    });
    const policy = { ...body.policy, remarks: 'x'.repeat(1_001) };
    return {
      kind: 'Remarks that are too long',
      client: 'alpha',
      wave: 1,
      body: { ...body, policy },
      expected: { status: 'REFUSED', code: 'VALIDATION_FAILED', findings: ['INVALID_FORMAT'] },
    };
  });
}

type ChangedMembers = (body: TransmissionBody) => Partial<TransmissionBody>;

function faulty(maker: CertificateMaker, code: 'VALIDATION_FAILED') {
  return (
    count: number,
    kind: string,
    findings: readonly FindingCode[],
    changedMembers: ChangedMembers,
    client = 'alpha',
  ): SampleItem[] =>
    Array.from({ length: count }, () => {
      const body = maker.certificate({
        insurer: 'INS-ALPHA',
        region: 'III',
        vehicles: [maker.vehicle(MODELS.jeepney, 'III')],
      });
      return {
        kind,
        client,
        wave: 1,
        body: { ...body, ...changedMembers(body) },
        expected: { status: 'REJECTED', code, findings },
      };
    });
}
