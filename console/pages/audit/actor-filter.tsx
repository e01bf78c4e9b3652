import { useState } from 'react';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { InputFilter } from '../../ui/list/filters.tsx';

interface ActorFilterProps {
  /** The id of a user; empty for any actor. */
  readonly value: string;
  readonly onChange: (userId: string) => void;
}

/** The actor is found by a part of the e-mail address. The URL holds only the user's id. */
export function ActorFilter({ value, onChange }: ActorFilterProps) {
  const [problem, setProblem] = useState('');
  const { data: user } = useRead(
    'readUser',
    { params: { userId: value } },
    { isEnabled: value !== '' },
  );
  const change = (text: string): void => {
    setProblem('');
    if (text === '') onChange('');
    else
      findUser(text).then(
        (found) => (typeof found === 'string' ? setProblem(found) : onChange(found.id)),
        (error: unknown) => setProblem(String(error)),
      );
  };
  return (
    <div>
      <InputFilter
        label="Actor's e-mail"
        value={value === '' ? '' : (user?.email ?? value)}
        onChange={change}
      />
      <p className="field-error" role="status">
        {problem}
      </p>
    </div>
  );
}

/** The only user with this text in the address, or why there is none. */
async function findUser(text: string): Promise<{ id: string } | string> {
  const { items, total } = await call('listUsers', { query: { email: text } });
  const exact = items.find(({ email }) => email === text.toLowerCase());
  const [first] = items;
  if (exact !== undefined) return exact;
  if (first === undefined) return 'No user has this address.';
  return total === 1 ? first : `${total} users match. Write more of the address.`;
}
