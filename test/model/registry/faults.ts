import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';

type Body = { -readonly [Name in keyof TransmissionBody]: TransmissionBody[Name] };
type Fault = (body: Body) => void;

const onVehicle =
  (members: Partial<TransmissionBody['vehicles'][number]>): Fault =>
  (body) => {
    body.vehicles = body.vehicles.map((vehicle, index) =>
      index === 0 ? { ...vehicle, ...members } : vehicle,
    );
  };
const onOperator =
  (members: Partial<TransmissionBody['operator']>): Fault =>
  (body) => {
    body.operator = { ...body.operator, ...members };
  };
const onPolicy =
  (members: Partial<TransmissionBody['policy']>): Fault =>
  (body) => {
    body.policy = { ...body.policy, ...members };
  };
const onCertificate =
  (members: Partial<TransmissionBody['certificate']>): Fault =>
  (body) => {
    body.certificate = { ...body.certificate, ...members };
  };

/** Faults of a transmission, for levels 1 to 3 and the schema. */
export const FAULTS = {
  noChassis: onVehicle({ chassisNumber: null }),
  noPlate: onVehicle({ plateNumber: ' - ' }),
  shortPlate: onVehicle({ plateNumber: '7' }),
  wordForEngine: onVehicle({ engineNumber: 'ENGINE' }),
  noSeats: onVehicle({ passengerCapacity: 0 }),
  yearAhead: onVehicle({ yearModel: 2027 }),
  unknownRegion: onVehicle({ region: 'ATLANTIS' }),
  noDenomination: onVehicle({ denomination: '' }),
  noName: onOperator({ name: '  ' }),
  badAddress: onOperator({ contactEmail: 'nobody' }),
  wrongCoverage: onPolicy({ coverageType: 'GOLD' }),
  noPolicyNumber: onPolicy({ policyNumber: null }),
  impossibleDate: onPolicy({ issuanceDate: '2026-02-30' }),
  noExpiration: onCertificate({ expirationDate: null }),
  noCocNumber: onCertificate({ cocNumber: '' }),
  endsFirst: (body) => onCertificate({ expirationDate: body.certificate.effectiveDate })(body),
  tooLong: onCertificate({ effectiveDate: '2026-01-01', expirationDate: '2027-02-06' }),
  noInsurer: (body) => {
    body.issuingInsurerCode = null;
  },
  noVehicles: (body) => {
    body.vehicles = [];
  },
  twins: (body) => {
    body.vehicles = [...body.vehicles, ...body.vehicles.slice(0, 1)];
  },
  shortId: (body) => {
    body.externalTransactionId = 'short';
  },
} satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];
