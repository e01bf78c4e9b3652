import type { CancellationBody } from '../../../shared/contract/machine/cancellation.ts';
import type {
  TransmissionBody,
  VehicleBody,
} from '../../../shared/contract/machine/transmission.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import { calendarDate } from '../../../shared/platform/clock.ts';

/** The registry's date in tests that do not change the clock. */
export function today(): string {
  return calendarDate(new Date(), 'Asia/Manila');
}

let counter = 0;
const run = Date.now().toString(36).toUpperCase();

/** A number that is unique in this run. */
export function unique(): number {
  counter += 1;
  return counter;
}

/** A unique external transaction id, policy number or certificate number. */
export function uniqueNumber(prefix: string): string {
  return `${prefix}-${run}-${unique()}`;
}

/** A valid vehicle with unique identifiers that are not in the reference data. */
export function makeVehicle(changes: Partial<VehicleBody> = {}): VehicleBody {
  const n = unique().toString().padStart(6, '0');
  return {
    plateNumber: `T${n}`,
    mvFileNumber: `99${n}`,
    engineNumber: `ENGT${n}`,
    chassisNumber: `CHST${n}`,
    make: 'Isuzu',
    model: 'Elf',
    yearModel: 2020,
    vehicleType: 'JEEPNEY',
    denomination: 'PUJ',
    passengerCapacity: 20,
    region: 'NCR',
    ...changes,
  };
}

/** A vehicle of the demonstration's reference data; `row` is 1 to 100. */
export function makeReferenceVehicle(row: number, changes: Partial<VehicleBody> = {}): VehicleBody {
  const n = 1000 + row;
  return makeVehicle({
    plateNumber: `NCR${n}`,
    mvFileNumber: `13010000000${n}`,
    engineNumber: `ENG${n}NCR`,
    chassisNumber: `CHS${n}NCR`,
    ...changes,
  });
}

/** A vehicle of a region without reference data, which causes no flag. */
export function makePlainVehicle(changes: Partial<VehicleBody> = {}): VehicleBody {
  return makeVehicle({ region: 'CAR', ...changes });
}

export interface BodyChanges {
  readonly externalTransactionId?: string;
  readonly issuingInsurerCode?: string | null;
  readonly poolCode?: string | null;
  readonly policy?: Partial<TransmissionBody['policy']>;
  readonly certificate?: Partial<TransmissionBody['certificate']>;
  readonly operator?: Partial<TransmissionBody['operator']>;
  readonly vehicles?: readonly VehicleBody[];
}

/** A transmission that passes all levels without a flag, with a unique policy, certificate and vehicle. */
export function makeBody(changes: BodyChanges = {}): TransmissionBody {
  const date = today();
  return {
    externalTransactionId: changes.externalTransactionId ?? uniqueNumber('EXT'),
    issuingInsurerCode:
      changes.issuingInsurerCode === undefined ? 'INS-ALPHA' : changes.issuingInsurerCode,
    ...(changes.poolCode === undefined ? {} : { poolCode: changes.poolCode }),
    policy: {
      policyNumber: uniqueNumber('POL'),
      issuanceDate: date,
      coverageType: 'PPAI_STANDARD',
      premiumAmount: 1250.5,
      ...changes.policy,
    },
    certificate: {
      cocNumber: uniqueNumber('COC'),
      effectiveDate: date,
      expirationDate: addDays(date, 365),
      ...changes.certificate,
    },
    operator: {
      name: 'Maria Santos',
      operatorType: 'INDIVIDUAL',
      tin: '123-456-789-000',
      address: '12 Rizal Street, Quezon City',
      region: 'NCR',
      contactEmail: 'maria.santos@example.org',
      contactPhone: '+63 917 555 0142',
      ...changes.operator,
    },
    vehicles: [...(changes.vehicles ?? [makePlainVehicle()])],
  };
}

/** A valid cancellation, from today, of the certificate that was sent with this body. */
export function makeCancellation({ policy, certificate }: TransmissionBody): CancellationBody {
  return {
    externalTransactionId: uniqueNumber('CAN'),
    policyNumber: policy.policyNumber ?? '',
    cocNumber: certificate.cocNumber ?? '',
    cancellationEffectiveDate: today(),
    reasonCode: 'OPERATOR_REQUEST',
    reasonText: 'The operator sold the vehicle',
  };
}
