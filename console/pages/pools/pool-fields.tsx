import type { ChangeEvent } from 'react';
import { messagesOf } from '../../api/errors.ts';
import { OrganizationField, readOrganizationId } from '../organizations/organization-field.tsx';
import { POOL_LABELS, type PoolField } from './pool.ts';

interface PoolFieldsProps {
  readonly bind: (name: PoolField) => {
    readonly name: string;
    readonly value: string;
    readonly onChange: (event: ChangeEvent<{ value: string }>) => void;
  };
  readonly error: unknown;
}

export function PoolFields({ bind, error }: PoolFieldsProps) {
  return (
    <>
      <OrganizationField
        {...bind('leadInsurer')}
        type="INSURANCE_COMPANY"
        label={POOL_LABELS.leadInsurer}
        error={messagesOf(error, 'leadInsurerId')[0]}
        required
      />
      <OrganizationField
        {...bind('managementCompany')}
        type="MANAGEMENT_COMPANY"
        label={`${POOL_LABELS.managementCompany} (may be empty)`}
        error={messagesOf(error, 'managementCompanyId')[0]}
      />
    </>
  );
}

/** The id of a management company, or null for none. @throws {Error} when no organization has the code */
export async function readManagementCompanyId(code: string): Promise<string | null> {
  return code.trim() === '' ? null : readOrganizationId(code);
}
