import { useId } from 'react';
import { call } from '../../api/call.ts';
import type { DataOf } from '../../api/contract.ts';
import { useRead } from '../../api/queries.ts';
import { TextField } from '../../ui/form/text-field.tsx';

type OrganizationType = DataOf<'readOrganization'>['type'];

/** The most that a list answers at once. The code of any other organization can be typed. */
const SUGGESTIONS_MAX = 200;

interface OrganizationFieldProps
  extends Omit<Parameters<typeof TextField>[0], 'list' | 'hint' | 'type'> {
  /** Only organizations of this type are suggested. */
  readonly type?: OrganizationType;
}

/** A field for the code of an organization, which suggests codes by their names. */
export function OrganizationField({ type, ...field }: OrganizationFieldProps) {
  const id = useId();
  const { data } = useRead('listOrganizations', { query: { type, limit: SUGGESTIONS_MAX } });
  return (
    <>
      <TextField
        {...field}
        hint="Its code. Type a part of the code or the name."
        list={id}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <datalist id={id}>
        {data?.items.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** @throws {Error} when no organization has the code, in words for the user */
export async function readOrganizationId(code: string): Promise<string> {
  const query = { code: code.trim() };
  const [found] = (await call('listOrganizations', { query })).items;
  if (found === undefined) throw new Error(`No organization has the code ${code}.`);
  return found.id;
}
