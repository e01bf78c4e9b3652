import type { DataOf } from '../../api/contract.ts';
import type { Stored } from '../../ui/form/versioned/versioned-values.ts';

export type Pool = DataOf<'readPool'>;
export type Membership = DataOf<'listMemberships'>['items'][number];

/** The fields of a pool that can change, as the codes of organizations. */
export type PoolField = 'leadInsurer' | 'managementCompany';

export const POOL_LABELS: Readonly<Record<PoolField, string>> = {
  leadInsurer: 'Lead insurer',
  managementCompany: 'Management company',
};

export function storedPool({ version, leadInsurer, managementCompany }: Pool): Stored<PoolField> {
  return {
    version,
    values: { leadInsurer: leadInsurer.code, managementCompany: managementCompany?.code ?? '' },
  };
}

export function storedEnd({ version, validTo }: Membership): Stored<'validTo'> {
  return { version, values: { validTo: validTo ?? '' } };
}
