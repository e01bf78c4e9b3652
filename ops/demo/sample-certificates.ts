import type { OperatorType, Region } from '../../shared/contract/enums.ts';
import type {
  OperatorBody,
  TransmissionBody,
  VehicleBody,
} from '../../shared/contract/machine/transmission.ts';
import { addDays } from '../../shared/domain/calendar.ts';
import { makeReferenceVehicle, makeVehicle, type VehicleModel } from './sample-vehicles.ts';

/** A year of cover, first and last day included. */
const COVER_DAYS = 364;

export interface SampleRun {
  /** Starts at 1. Runs share no vehicles (except those of the reference data), policies or ids. */
  readonly number: number;
  /** Calendar date in the registry's time zone. */
  readonly today: string;
}

export interface CertificateOptions {
  readonly insurer: string;
  readonly vehicles: readonly VehicleBody[];
  readonly region: Region;
  readonly operatorType?: OperatorType;
  readonly poolCode?: string;
  /** Default: today. */
  readonly effectiveDate?: string;
  readonly days?: number;
}

/** Makes the certificates of one run; the same calls give the same certificates. */
export interface CertificateMaker {
  readonly run: SampleRun;
  vehicle(model: VehicleModel, region: Region): VehicleBody;
  vehicles(count: number, model: VehicleModel, region: Region): VehicleBody[];
  certificate(options: CertificateOptions): TransmissionBody;
  /** A new externalTransactionId. */
  id(): string;
}

export function makeCertificates(run: SampleRun): CertificateMaker {
  let vehicleSerial = 0;
  let certificateSerial = 0;
  let idSerial = 0;
  const id = () => externalIdOf(run.number, ++idSerial);
  const vehicle = (model: VehicleModel, region: Region) =>
    makeVehicle(run.number, vehicleSerial++, model, region);
  return {
    run,
    id,
    vehicle,
    vehicles: (count, model, region) => Array.from({ length: count }, () => vehicle(model, region)),
    certificate: ({
      insurer,
      vehicles,
      region,
      operatorType = 'INDIVIDUAL',
      poolCode,
      effectiveDate = run.today,
      days = COVER_DAYS,
    }) => {
      certificateSerial += 1;
      const number = `${run.today.slice(0, 4)}-${String(run.number).padStart(4, '0')}-${String(certificateSerial).padStart(4, '0')}`;
      return {
        externalTransactionId: id(),
        issuingInsurerCode: insurer,
        poolCode: poolCode ?? null,
        policy: {
          policyNumber: `${insurer}-P-${number}`,
          issuanceDate: run.today,
          coverageType: 'PPAI_STANDARD',
          premiumAmount: 550 + 125 * vehicles.length + (certificateSerial % 8) * 12.5,
          officialReceiptNumber: `OR-${number}`,
        },
        certificate: {
          cocNumber: `${insurer}-COC-${number}`,
          effectiveDate,
          expirationDate: addDays(effectiveDate, days),
        },
        operator: operatorOf(certificateSerial, region, operatorType),
        vehicles: vehicles.map((one) => ({ ...one })),
      };
    },
  };
}

/** The ids of a run count from 1. */
export function externalIdOf(run: number, serial: number): string {
  return `demo-${String(run).padStart(4, '0')}-${String(serial).padStart(4, '0')}`;
}

/**
 * All runs share the reference vehicles, so each run covers them for a different year: the first run from today, and each
 * further run after the last day of the run before it.
 */
export function referenceStart({ number, today }: SampleRun): string {
  return addDays(today, (number - 1) * (COVER_DAYS + 1));
}

/** The first day on which a certificate no longer blocks its vehicles (D9). */
export function dayAfterCover({ certificate }: TransmissionBody): string {
  return addDays(certificate.effectiveDate ?? '', COVER_DAYS + 1);
}

/** Vehicles first to last of the reference data, by the number in their plates. */
export function referenceVehicles(first: number, last: number, model: VehicleModel): VehicleBody[] {
  return Array.from({ length: last - first + 1 }, (_, index) =>
    makeReferenceVehicle(first + index, model),
  );
}

const GIVEN_NAMES = [
  'Maria',
  'Jose',
  'Rosario',
  'Antonio',
  'Luzviminda',
  'Ramon',
  'Corazon',
  'Eduardo',
  'Niña',
  'Fernando',
  'Imelda',
  'Rodrigo',
];
const FAMILY_NAMES = [
  'Santos',
  'Reyes',
  'Cruz',
  'Bautista',
  'Ocampo',
  'Garcia',
  'Mendoza',
  'Torres',
  'Peñaflor',
  'Villanueva',
  'Aquino',
];
const COMPANY_NAMES = ['Bayani', 'Sampaguita', 'Mayon', 'Amihan', 'Tala', 'Banaue', 'Kalayaan'];
const STREETS = [
  'Mabini Street',
  'Rizal Avenue',
  'Bonifacio Street',
  'Quezon Boulevard',
  'Session Road',
];
const TOWNS: Partial<Record<Region, string>> = {
  NCR: 'Quezon City',
  CAR: 'Baguio City',
  I: 'San Fernando, La Union',
  III: 'San Fernando, Pampanga',
  'IV-A': 'Calamba, Laguna',
  V: 'Legazpi City',
  VI: 'Iloilo City',
  VII: 'Cebu City',
  XI: 'Davao City',
};

function operatorOf(serial: number, region: Region, operatorType: OperatorType): OperatorBody {
  const person = `${at(GIVEN_NAMES, serial)} ${at(FAMILY_NAMES, serial)}`;
  const company = `${at(COMPANY_NAMES, serial)} Transport ${operatorType === 'COOPERATIVE' ? 'Cooperative' : 'Corporation'}`;
  return {
    name: operatorType === 'INDIVIDUAL' ? person : company,
    operatorType,
    businessName: operatorType === 'INDIVIDUAL' ? null : company,
    tin: `${String(100 + (serial % 900))}-555-${String(serial % 1_000).padStart(3, '0')}-000`,
    address: `${1 + (serial % 180)} ${at(STREETS, serial)}, ${TOWNS[region] ?? 'Manila'}`,
    region,
    contactEmail: `operator${serial}@example.com`,
    contactPhone: `+63 917 555 ${String(serial % 10_000).padStart(4, '0')}`,
    caseNumber: `${2015 + (serial % 11)}-${String(serial).padStart(5, '0')}`,
  };
}

function at(list: readonly string[], index: number): string {
  return list[index % list.length] ?? '';
}
