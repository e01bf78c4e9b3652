import { DISCLAIMER } from '../machine/acknowledgment.ts';
import type { CoverageResult } from '../machine/coverage.ts';
import type {
  DiffEntry,
  OrganizationSummary,
  RecordDetail,
  RecordFlag,
  RecordSummary,
} from '../machine/record.ts';
import type { HistoryName } from '../machine/record-history.ts';

const ALPHA: OrganizationSummary = {
  id: '5a0c7c1e-6a0e-4a63-9d0e-3f2f3a0c1b11',
  code: 'INS-ALPHA',
  name: 'Alpha Insurance',
  type: 'INSURANCE_COMPANY',
};

export const SUMMARY_EXAMPLE: RecordSummary = {
  id: '0b7e7a52-3f0b-4f6f-8b53-6c1a8f0d2c01',
  registryReference: 'PPAI-2026-000000097',
  policyNumber: 'POL-2026-000123',
  cocNumber: 'COC-2026-000123',
  effectiveDate: '2026-10-01',
  expirationDate: '2027-09-30',
  coverageStatus: 'ACTIVE',
  lifecycle: 'CURRENT',
  currentVersion: 1,
  issuingInsurer: ALPHA,
  transmittingOrg: ALPHA,
  pool: null,
  operatorName: 'Maria Santos',
  region: 'NCR',
  plateNumbers: ['NCR1001'],
  vehicleCount: 1,
  openFlagCount: 0,
  registeredAt: '2026-10-01T02:03:05.012Z',
};

const VEHICLE = {
  plateNumber: 'NCR1001',
  mvFileNumber: '130100000001001',
  engineNumber: 'ENG1001NCR',
  chassisNumber: 'CHS1001NCR',
};

export const RECORD_EXAMPLE: RecordDetail = {
  ...SUMMARY_EXAMPLE,
  policy: {
    policyNumber: 'POL-2026-000123',
    issuanceDate: '2026-10-01',
    coverageType: 'PPAI_STANDARD',
    premiumAmount: '1250.50',
    officialReceiptNumber: 'OR-778812',
    remarks: null,
    leadInsurer: null,
    managementCompany: null,
  },
  insurerVerificationRef: 'ALPHA-VERIFY-5521',
  operator: {
    id: '7d3a1b9c-92e4-4f25-8f5e-1f8c2b7a9e10',
    name: 'Maria Santos',
    operatorType: 'INDIVIDUAL',
    businessName: 'Santos Transport',
    tinMasked: '************000',
    address: '12 Mabini Street, Quezon City',
    region: 'NCR',
    contactEmailMasked: 'm***@example.com',
    contactPhoneMasked: '******0123',
    caseNumber: '2024-0117',
    cpcNumber: null,
    franchiseNumber: null,
  },
  vehicles: [
    {
      vehicle: {
        id: 'c2c6e1f4-7d0d-4b8e-9f57-8a4f2d1e3b22',
        ...VEHICLE,
        make: 'Isuzu',
        model: 'Elf',
        yearModel: 2019,
        vehicleType: 'JEEPNEY',
        denomination: 'PUJ',
        passengerCapacity: 22,
        region: 'NCR',
        caseNumber: null,
        cpcNumber: null,
      },
      transmitted: { ...VEHICLE, plateNumber: 'NCR 1001' },
      refMatchResult: 'MATCHED',
      addedInVersion: 1,
      removedInVersion: null,
    },
  ],
  versions: [
    {
      version: 1,
      coverageStatus: 'ACTIVE',
      createdAt: '2026-10-01T02:03:05.012Z',
      supersededAt: null,
      transmissionReference: 'PPAI-TX-2026-000000123',
      channel: 'API',
      actor: 'alpha',
      snapshot: {},
    },
  ],
  amendments: [],
  cancellation: null,
  flags: [],
  transmissions: [
    {
      id: '3f1d5c7a-0b2e-4d68-a9c1-5e7f9b1d3a33',
      transmissionReference: 'PPAI-TX-2026-000000123',
      kind: 'CREATE',
      channel: 'API',
      status: 'ACCEPTED',
      transmittingOrg: ALPHA,
      externalTransactionId: 'ALPHA-2026-000123',
      registryReference: 'PPAI-2026-000000097',
      policyNumber: 'POL-2026-000123',
      cocNumber: 'COC-2026-000123',
      plateNumbers: ['NCR1001'],
      errorCode: null,
      actor: 'alpha',
      receivedAt: '2026-10-01T02:03:04.567Z',
      completedAt: '2026-10-01T02:03:05.012Z',
    },
  ],
  disclaimer: DISCLAIMER,
};

export const COVERAGE_EXAMPLE: CoverageResult = {
  identifier: 'NCR1001',
  matchedBy: 'plateNumber',
  asOf: '2026-10-15',
  covered: true,
  vehicle: {
    ...VEHICLE,
    make: 'Isuzu',
    model: 'Elf',
    yearModel: 2019,
    vehicleType: 'JEEPNEY',
    denomination: 'PUJ',
  },
  coverage: {
    insurerCode: 'INS-ALPHA',
    insurerName: 'Alpha Insurance',
    effectiveDate: '2026-10-01',
    expirationDate: '2027-09-30',
    coverageStatus: 'ACTIVE',
    registryReference: null,
  },
  next: null,
  disclaimer: DISCLAIMER,
};

const FLAG_EXAMPLE: RecordFlag = {
  id: '1c1b0c2f-3a0c-4b11-8a0c-7c1e6a0e4a64',
  type: 'VEHICLE_MISMATCH',
  status: 'OPEN',
  certificateId: SUMMARY_EXAMPLE.id,
  registryReference: SUMMARY_EXAMPLE.registryReference,
  relatedCertificateId: null,
  relatedRegistryReference: null,
  plateNumber: 'NCR1001',
  insurerName: 'Alpha Insurance',
  relatedInsurerName: null,
  region: 'NCR',
  details: {},
  message: 'None of the four identifiers is in the reference data.',
  reviewedBy: null,
  reviewedAt: null,
  reviewNotes: null,
  createdAt: '2026-10-01T02:03:05.012Z',
};

const AMENDMENT = {
  id: '9d0e3f2f-3a0c-4b11-8a0c-7c1e6a0e4a63',
  fromVersion: 1,
  toVersion: 2,
  reason: 'Engine replaced',
  organization: ALPHA,
  actor: 'alpha',
  transmissionReference: 'PPAI-TX-2026-000000124',
  createdAt: '2026-11-02T01:00:05.012Z',
};
const DIFF: DiffEntry[] = [
  { path: 'vehicles[CHS1001NCR].engineNumber', before: 'ENG1001NCR', after: 'ENG2001NCR' },
];
const onePage = (item: object) => ({ page: { items: [item], nextCursor: null, total: 1 } });
const [VERSION, VEHICLE_ITEM, TRANSMISSION] = [
  RECORD_EXAMPLE.versions[0] ?? {},
  RECORD_EXAMPLE.vehicles[0] ?? {},
  RECORD_EXAMPLE.transmissions[0] ?? {},
];

/** `data` of each endpoint of a record's history. */
export const HISTORY_EXAMPLES: Readonly<Record<HistoryName, Readonly<Record<string, object>>>> = {
  listRecordVersions: {
    ...onePage(VERSION),
    omitted: {
      items: [
        {
          ...VERSION,
          snapshot: {
            omitted: true,
            href: '/api/v1/ppai/policies/PPAI-2026-000000097/versions/1',
          },
        },
      ],
      nextCursor: null,
      total: 1,
    },
  },
  readRecordVersion: { version: VERSION },
  listVersionVehicles: onePage({ ...VEHICLE, vehicleType: 'JEEPNEY' }),
  listRecordAmendments: onePage({ ...AMENDMENT, diff: DIFF }),
  listAmendmentDiff: onePage(DIFF[0] ?? {}),
  listRecordTransmissions: onePage(TRANSMISSION),
  listRecordVehicles: onePage(VEHICLE_ITEM),
  listRecordFlags: onePage(FLAG_EXAMPLE),
};
