import type { AmendmentBody } from '../machine/amendment.ts';
import type { CancellationBody } from '../machine/cancellation.ts';
import type { EndpointName } from '../machine/endpoints.ts';
import type { TokenBody } from '../machine/token.ts';
import type { TransmissionBody } from '../machine/transmission.ts';
import { LOOKUP_EXAMPLE } from './own-transmission-examples.ts';

// The examples of request bodies in the OpenAPI description. A test checks each example against its schema.

/** Examples by name. */
export type NamedExamples = Readonly<Record<string, object>>;

const TRANSMISSION: TransmissionBody = {
  externalTransactionId: 'ALPHA-2026-000123',
  issuingInsurerCode: 'INS-ALPHA',
  poolCode: null,
  policy: {
    policyNumber: 'POL-2026-000123',
    issuanceDate: '2026-10-01',
    coverageType: 'PPAI_STANDARD',
    premiumAmount: 1250.5,
    officialReceiptNumber: 'OR-778812',
    remarks: null,
  },
  certificate: {
    cocNumber: 'COC-2026-000123',
    effectiveDate: '2026-10-01',
    expirationDate: '2027-09-30',
    insurerVerificationReference: 'ALPHA-VERIFY-5521',
  },
  operator: {
    name: 'Maria Santos',
    operatorType: 'INDIVIDUAL',
    businessName: 'Santos Transport',
    tin: '123-456-789-000',
    address: '12 Mabini Street, Quezon City',
    region: 'NCR',
    contactEmail: 'maria@example.com',
    contactPhone: '+63 917 555 0123',
    caseNumber: '2024-0117',
    cpcNumber: null,
    franchiseNumber: null,
  },
  vehicles: [
    {
      plateNumber: 'NCR 1001',
      mvFileNumber: '130100000001001',
      engineNumber: 'ENG1001NCR',
      chassisNumber: 'CHS1001NCR',
      make: 'Isuzu',
      model: 'Elf',
      yearModel: 2019,
      vehicleType: 'JEEPNEY',
      denomination: 'PUJ',
      passengerCapacity: 22,
      region: 'NCR',
      route: 'Cubao - Divisoria',
    },
  ],
};

export const AMENDMENT: AmendmentBody = {
  externalTransactionId: 'ALPHA-2026-000123-A1',
  reason: 'Engine replaced; official receipt corrected.',
  expectedVersion: 1,
  changes: {
    policy: { officialReceiptNumber: 'OR-778813' },
    vehicles: {
      update: [{ match: { plateNumber: 'NCR1001' }, set: { engineNumber: 'ENG9001NCR' } }],
    },
  },
};

export const CANCELLATION: CancellationBody = {
  externalTransactionId: 'ALPHA-2026-000123-C1',
  policyNumber: 'POL-2026-000123',
  cocNumber: 'COC-2026-000123',
  cancellationEffectiveDate: '2026-10-20',
  reasonCode: 'OPERATOR_REQUEST',
  reasonText: 'The operator sold the vehicle.',
  supportingReference: 'LETTER-2026-88',
};

const TOKEN_REQUEST: TokenBody = {
  grant_type: 'client_credentials',
  client_id: 'your-client-id',
  client_secret: 'your-client-secret',
  scope: 'ppai:transmit ppai:read',
};

export const BODY_EXAMPLES: Partial<Record<EndpointName, NamedExamples>> = {
  issueToken: { clientCredentials: TOKEN_REQUEST },
  transmit: { jeepney: TRANSMISSION },
  validateTransmission: { jeepney: TRANSMISSION },
  amend: { engineReplaced: AMENDMENT },
  cancel: { operatorRequest: CANCELLATION },
  setSandboxClock: { nextYear: { dayOffset: 365 } },
  lookupTransmissions: { byExternalId: LOOKUP_EXAMPLE },
};
