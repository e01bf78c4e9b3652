import type {
  ClientStatus,
  OrganizationStatus,
  OrganizationType,
  Scope,
} from '../../shared/contract/enums.ts';
import { SCOPES } from '../../shared/contract/enums.ts';
import type { Role } from '../../shared/contract/staff.ts';

// The tables of decisions.md, "Demonstration data".

interface DemoOrganization {
  readonly code: string;
  readonly name: string;
  readonly type: OrganizationType;
  readonly status: OrganizationStatus;
}

export const DEMO_ORGANIZATIONS: readonly DemoOrganization[] = [
  { code: 'REG', name: 'Transport Regulator', type: 'REGULATOR', status: 'ACTIVE' },
  { code: 'INS-ALPHA', name: 'Alpha Insurance', type: 'INSURANCE_COMPANY', status: 'ACTIVE' },
  { code: 'INS-BRAVO', name: 'Bravo Insurance', type: 'INSURANCE_COMPANY', status: 'ACTIVE' },
  { code: 'INS-CHARLIE', name: 'Charlie Insurance', type: 'INSURANCE_COMPANY', status: 'ACTIVE' },
  {
    code: 'INS-DORMANT',
    name: 'Dormant Insurance',
    type: 'INSURANCE_COMPANY',
    status: 'SUSPENDED',
  },
  { code: 'MGT-ONE', name: 'Management One', type: 'MANAGEMENT_COMPANY', status: 'ACTIVE' },
  { code: 'POOL-NORTH', name: 'Northern Insurance Pool', type: 'INSURANCE_POOL', status: 'ACTIVE' },
];

export const DEMO_POOL = {
  code: 'POOL-NORTH',
  leadInsurer: 'INS-ALPHA',
  managementCompany: 'MGT-ONE',
  members: [
    { insurer: 'INS-ALPHA', validFrom: '2025-01-01', validTo: null },
    { insurer: 'INS-BRAVO', validFrom: '2025-01-01', validTo: null },
    { insurer: 'INS-CHARLIE', validFrom: '2024-01-01', validTo: '2025-12-31' },
  ],
} as const;

export interface DemoClient {
  readonly name: string;
  readonly organizationCode: string;
  readonly status: ClientStatus;
  readonly scopes: readonly Scope[];
  readonly ipAllowlist: readonly string[];
  readonly rateLimitPerMinute: number;
}

const PLENTY_PER_MINUTE = 600_000;
const DEFAULT_PER_MINUTE = 120;

export const DEMO_CLIENTS: readonly DemoClient[] = [
  demoClient('alpha', 'INS-ALPHA'),
  demoClient('bravo', 'INS-BRAVO'),
  demoClient('charlie', 'INS-CHARLIE'),
  demoClient('mgt-one', 'MGT-ONE'),
  demoClient('alpha-default-rate', 'INS-ALPHA', { rateLimitPerMinute: DEFAULT_PER_MINUTE }),
  demoClient('alpha-read-only', 'INS-ALPHA', { scopes: ['ppai:read'] }),
  demoClient('alpha-allowlisted', 'INS-ALPHA', { ipAllowlist: ['203.0.113.0/24'] }),
  demoClient('alpha-suspended', 'INS-ALPHA', { status: 'SUSPENDED' }),
  demoClient('dormant', 'INS-DORMANT'),
  demoClient('verifier', 'REG', { scopes: ['vehicles:verify'] }),
];

/** One user per role. The first sign-in enrolls the second factor. */
export const DEMO_STAFF: readonly { readonly email: string; readonly role: Role }[] = [
  { email: 'administrator@regulator.example', role: 'ADMINISTRATOR' },
  { email: 'reviewer@regulator.example', role: 'REVIEWER' },
  { email: 'auditor@regulator.example', role: 'AUDITOR' },
];

/** The only region with reference data. */
export const DEMO_REFERENCE_REGION = 'NCR';

const REFERENCE_FIRST = 1001;
const REFERENCE_LAST = 1100;

export interface DemoReferenceVehicle {
  readonly plateNumber: string;
  readonly mvFileNumber: string;
  readonly engineNumber: string;
  readonly chassisNumber: string;
}

/** The four identifiers of a vehicle contain the same number. */
export const DEMO_REFERENCE_VEHICLES: readonly DemoReferenceVehicle[] = Array.from(
  { length: REFERENCE_LAST - REFERENCE_FIRST + 1 },
  (_, index) => {
    const number = REFERENCE_FIRST + index;
    return {
      plateNumber: `NCR${number}`,
      mvFileNumber: `13010000000${number}`,
      engineNumber: `ENG${number}NCR`,
      chassisNumber: `CHS${number}NCR`,
    };
  },
);

function demoClient(
  name: string,
  organizationCode: string,
  differences: Partial<DemoClient> = {},
): DemoClient {
  return {
    name,
    organizationCode,
    status: 'ACTIVE',
    scopes: SCOPES,
    ipAllowlist: [],
    rateLimitPerMinute: PLENTY_PER_MINUTE,
    ...differences,
  };
}
