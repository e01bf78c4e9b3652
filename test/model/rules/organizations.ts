import type { ModelRecord, ModelState } from './state.ts';

/** The demonstration clients that act here, and their organizations. */
export const CLIENTS = {
  alpha: 'INS-ALPHA',
  bravo: 'INS-BRAVO',
  charlie: 'INS-CHARLIE',
  'mgt-one': 'MGT-ONE',
} as const;
export type ClientName = keyof typeof CLIENTS;

export const INSURERS: Readonly<
  Record<string, { readonly name: string; readonly active: boolean }>
> = {
  'INS-ALPHA': { name: 'Alpha Insurance', active: true },
  'INS-BRAVO': { name: 'Bravo Insurance', active: true },
  'INS-CHARLIE': { name: 'Charlie Insurance', active: true },
  'INS-DORMANT': { name: 'Dormant Insurance', active: false },
};

export const POOL = 'POOL-NORTH';
/** Its lead insurer and its management company. */
const POOL_RUN_BY: readonly string[] = ['INS-ALPHA', 'MGT-ONE'];
const MEMBERSHIPS: Readonly<Record<string, { readonly from: string; readonly to: string }>> = {
  'INS-ALPHA': { from: '2025-01-01', to: '9999-12-31' },
  'INS-BRAVO': { from: '2025-01-01', to: '9999-12-31' },
  'INS-CHARLIE': { from: '2024-01-01', to: '2025-12-31' },
};

export function isMemberOn(insurer: string, date: string): boolean {
  const membership = MEMBERSHIPS[insurer];
  return membership !== undefined && membership.from <= date && date <= membership.to;
}

/** api.md, "Machine API", 8. */
export function mayTransmit(organization: string, insurer: string, issuanceDate: string): boolean {
  return (
    organization === insurer ||
    (POOL_RUN_BY.includes(organization) && isMemberOn(insurer, issuanceDate))
  );
}

/** D23. */
export function isVisible(state: ModelState, organization: string, record: ModelRecord): boolean {
  const { pool } = policyOf(state, record);
  return (
    organization === record.insurer ||
    organization === record.transmitter ||
    (pool === POOL && POOL_RUN_BY.includes(organization))
  );
}

export function policyOf(state: ModelState, record: ModelRecord): ModelState['policies'][string] {
  const policy = state.policies[record.policyKey];
  if (policy === undefined) throw new Error('a record without a policy');
  return policy;
}
