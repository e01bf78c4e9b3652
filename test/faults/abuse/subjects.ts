import type { AmendmentBody } from '../../../shared/contract/machine/amendment.ts';
import type { CancellationBody } from '../../../shared/contract/machine/cancellation.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import {
  makeBody,
  makePlainVehicle,
  makeVehicle,
  today,
  uniqueNumber,
} from '../../env/api/bodies.ts';
import type { Random } from '../random.ts';

/** The record that malformed changes refer to. */
export interface TargetRecord {
  readonly registryReference: string;
  readonly body: TransmissionBody;
}

/** A valid transmission with every optional member. */
export function fullBody(random: Random): TransmissionBody {
  const vehicles = Array.from({ length: 1 + random.below(2) }, () => ({
    ...(random.percent(50) ? makePlainVehicle() : makeVehicle()),
    vin: 'VIN00000000000001',
    series: 'S',
    caseNumber: 'CASE-1',
    cpcNumber: 'CPC-1',
    province: 'Benguet',
    route: 'Baguio – La Trinidad',
  }));
  const body = makeBody({ vehicles });
  return {
    ...body,
    poolCode: null,
    policy: { ...body.policy, officialReceiptNumber: 'OR-1', remarks: 'none' },
    certificate: { ...body.certificate, insurerVerificationReference: 'REF-1' },
    operator: {
      ...body.operator,
      businessName: 'Santos Transport',
      caseNumber: 'CASE-2',
      cpcNumber: 'CPC-2',
      franchiseNumber: 'F-1',
    },
  };
}

export function fullAmendment(random: Random, { body }: TargetRecord): AmendmentBody {
  const { policy, certificate, operator, vehicles } = fullBody(random);
  const [first] = body.vehicles;
  return {
    externalTransactionId: uniqueNumber('ABUSE'),
    reason: 'The operator asked for it',
    ...(random.percent(30) ? { expectedVersion: 1 } : {}),
    changes: {
      poolCode: null,
      policy: { remarks: uniqueNumber('R'), premiumAmount: policy.premiumAmount },
      certificate: { insurerVerificationReference: certificate.insurerVerificationReference },
      operator: { ...operator },
      vehicles: {
        add: [...vehicles],
        remove: [],
        update: [
          { match: { plateNumber: first?.plateNumber }, set: { make: 'Hino', yearModel: 2019 } },
        ],
      },
    },
  };
}

export function fullCancellation({ body }: TargetRecord): CancellationBody {
  return {
    externalTransactionId: uniqueNumber('ABUSE'),
    policyNumber: body.policy.policyNumber ?? '',
    cocNumber: body.certificate.cocNumber ?? '',
    cancellationEffectiveDate: today(),
    reasonCode: 'OPERATOR_REQUEST',
    reasonText: 'sold',
    supportingReference: 'LETTER-7',
  };
}
