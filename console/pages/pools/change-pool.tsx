import { useSave } from '../../api/use-save.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { VersionedForm } from '../../ui/form/versioned/versioned-form.tsx';
import { readOrganizationId } from '../organizations/organization-field.tsx';
import { POOL_LABELS, type Pool, storedPool } from './pool.ts';
import { PoolFields, readManagementCompanyId } from './pool-fields.tsx';

export function ChangePool({ pool }: { pool: Pool }) {
  return (
    <FormDialog action="Change who leads it" title="Change lead insurer or management company">
      {(close) => <ChangeForm pool={pool} onClose={close} />}
    </FormDialog>
  );
}

function ChangeForm({ pool, onClose }: { pool: Pool; onClose: () => void }) {
  const change = useSave('changePool', ['readPool', 'listPools', 'listAudit']);
  return (
    <VersionedForm
      draftKey={`pool ${pool.id}`}
      stored={storedPool(pool)}
      labels={POOL_LABELS}
      action="Change"
      save={async ({ leadInsurer, managementCompany }, expectedVersion) => {
        const body = {
          ...(leadInsurer === undefined
            ? {}
            : { leadInsurerId: await readOrganizationId(leadInsurer) }),
          ...(managementCompany === undefined
            ? {}
            : { managementCompanyId: await readManagementCompanyId(managementCompany) }),
          expectedVersion,
        };
        await change({ params: { poolId: pool.id }, body });
      }}
      storedOf={(data) => storedPool(data as Pool)}
      onSaved={onClose}
      onCancel={onClose}
    >
      {({ bind, error }) => (
        <>
          <p>
            It takes effect with the next request: the new one transmits for the members and sees
            the records of the pool, the earlier one no longer does.
          </p>
          <PoolFields bind={bind} error={error} />
        </>
      )}
    </VersionedForm>
  );
}
