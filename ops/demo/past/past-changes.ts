import type { CancellationReasonCode } from '../../../shared/contract/enums.ts';
import type { AmendmentBody } from '../../../shared/contract/machine/amendment.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import type { CertificateMaker } from '../sample-certificates.ts';
import { MODELS } from '../sample-vehicles.ts';
import type { SoundCertificate } from './past-certificates.ts';
import type { Change } from './receive-at.ts';

/** A change and the certificate that it changes. */
export interface PlannedChange extends SoundCertificate {
  readonly change: Change;
}

const AMENDED_PER_DAY = 3;

/**
 * The changes that arrive on one working day: a few amendments and a cancellation of certificates of the previous one, and a
 * weekly amendment of one record, which so gets a long history.
 */
export function planChanges(
  maker: CertificateMaker,
  previous: readonly SoundCertificate[],
  weekly: SoundCertificate | undefined,
): PlannedChange[] {
  const [cancelled, ...others] = previous;
  const amended = others.slice(0, AMENDED_PER_DAY);
  return [
    ...amended.map((one, index) => ({ ...one, change: makeAmendment(maker, one.body, index) })),
    ...(weekly === undefined ? [] : [{ ...weekly, change: makeNewAddress(maker) }]),
    ...(cancelled === undefined
      ? []
      : [{ ...cancelled, change: makeCancellation(maker, cancelled.body) }]),
  ];
}

function makeAmendment(maker: CertificateMaker, body: TransmissionBody, index: number): Change {
  if (index === 0) return makeNewPlate(maker, body);
  return index === 1 ? makeAddedVehicle(maker) : makeNewAddress(maker);
}

function makeNewPlate(maker: CertificateMaker, { vehicles }: TransmissionBody): Change {
  const [vehicle] = vehicles;
  const { plateNumber } = maker.vehicle(MODELS.jeepney, 'III');
  const chassisNumber = vehicle?.chassisNumber ?? null;
  return amendment(maker, 'The vehicle has new plates.', {
    vehicles: { update: [{ match: { chassisNumber }, set: { plateNumber } }] },
  });
}

function makeAddedVehicle(maker: CertificateMaker): Change {
  return amendment(
    maker,
    'The operator has bought another vehicle.',
    { vehicles: { add: [maker.vehicle(MODELS.minibus, 'III')] } },
    1,
  );
}

function makeNewAddress(maker: CertificateMaker): Change {
  const number = maker.run.number % 90;
  return amendment(maker, 'The operator has moved.', {
    operator: {
      address: `${10 + number} Del Pilar Street, San Fernando`,
      contactPhone: `+63 918 555 00${String(number).padStart(2, '0')}`,
    },
  });
}

function amendment(
  maker: CertificateMaker,
  reason: string,
  changes: AmendmentBody['changes'],
  vehicleCount = changes.vehicles?.update?.length ?? 0,
): Change {
  const body = { externalTransactionId: maker.id(), reason, changes };
  return { kind: 'AMEND', body, vehicleCount };
}

const REASONS: readonly (readonly [CancellationReasonCode, string])[] = [
  ['NON_PAYMENT', 'The premium was not paid.'],
  ['OPERATOR_REQUEST', 'The operator has asked for it.'],
  ['ISSUED_IN_ERROR', 'The certificate was issued for the wrong vehicle.'],
  ['VEHICLE_DROPPED', 'The vehicle was sold.'],
];

function makeCancellation(
  maker: CertificateMaker,
  { policy, certificate }: TransmissionBody,
): Change {
  const [reasonCode, reasonText] = REASONS[maker.run.number % REASONS.length] ?? [
    'OTHER',
    'The cover is no longer needed.',
  ];
  return {
    kind: 'CANCEL',
    vehicleCount: 0,
    body: {
      externalTransactionId: maker.id(),
      policyNumber: policy.policyNumber ?? '',
      cocNumber: certificate.cocNumber ?? '',
      cancellationEffectiveDate: maker.run.today,
      reasonCode,
      reasonText,
    },
  };
}
