import { messagesOf } from '../../api/errors.ts';
import { TextField } from '../../ui/form/text-field.tsx';
import type { useFormDraft } from '../../ui/form/use-form-draft.ts';

interface CodeAndNameProps {
  readonly bind: ReturnType<typeof useFormDraft<'code' | 'name'>>['bind'];
  readonly error: unknown;
}

/** What a new organization and a new pool are called. */
export function CodeAndName({ bind, error }: CodeAndNameProps) {
  return (
    <>
      <TextField
        {...bind('code')}
        label="Code"
        hint="Upper-case letters, digits and hyphens between them. It never changes."
        error={messagesOf(error, 'code')[0]}
        maxLength={32}
        autoComplete="off"
        autoCapitalize="characters"
        required
      />
      <TextField
        {...bind('name')}
        label="Name"
        error={messagesOf(error, 'name')[0]}
        maxLength={255}
        autoComplete="off"
        dir="auto"
        required
      />
    </>
  );
}
