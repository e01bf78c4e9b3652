import { messagesOf } from '../../../api/errors.ts';
import { useSave } from '../../../api/use-save.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { VersionedForm } from '../../../ui/form/versioned/versioned-form.tsx';
import { type Membership, storedEnd } from '../pool.ts';

interface EndMembershipProps {
  readonly poolId: string;
  readonly membership: Membership;
}

export function EndMembership(props: EndMembershipProps) {
  return (
    <FormDialog
      action="Change the end"
      title={`End of the membership of ${props.membership.insurer.name}`}
    >
      {(close) => <EndForm {...props} onClose={close} />}
    </FormDialog>
  );
}

function EndForm({ poolId, membership, onClose }: EndMembershipProps & { onClose: () => void }) {
  const { id: membershipId, validFrom } = membership;
  const end = useSave('endMembership', [
    'listMemberships',
    'listMembershipsOfInsurer',
    'countForOrganization',
  ]);
  return (
    <VersionedForm
      draftKey={`end of membership ${membershipId}`}
      stored={storedEnd(membership)}
      labels={{ validTo: 'Last day' }}
      action="Save"
      save={({ validTo = membership.validTo ?? '' }, expectedVersion) =>
        end({
          params: { poolId, membershipId },
          body: { validTo: validTo === '' ? null : validTo, expectedVersion },
        })
      }
      storedOf={(data) => storedEnd(data as Membership)}
      onSaved={onClose}
      onCancel={onClose}
    >
      {({ bind, error }) => (
        <>
          <p>It began on {validFrom}. The last day may lie in the past.</p>
          <TextField
            {...bind('validTo')}
            type="date"
            label="Last day"
            hint="Empty: the membership has no end."
            error={messagesOf(error, 'validTo')[0]}
            min={validFrom}
          />
        </>
      )}
    </VersionedForm>
  );
}
