/** The values of a form's fields as text, by the names of the fields. */
export type Values<Name extends string> = Readonly<Record<Name, string>>;

/** An object as the registry has it. */
export interface Stored<Name extends string> {
  readonly version: number;
  readonly values: Values<Name>;
}

/** What a user makes of the version that the form had read. */
export interface Edited<Name extends string> {
  readonly version: number;
  readonly read: Values<Name>;
  readonly values: Values<Name>;
}

export interface ConflictRow {
  readonly label: string;
  readonly read: string;
  readonly now: string;
  readonly yours: string;
}

/** The fields that the user changed, with the new values. */
export function changesOf<Name extends string>({
  read,
  values,
}: Edited<Name>): Partial<Record<Name, string>> {
  const names = Object.keys(values) as Name[];
  const changed = names.filter((name) => values[name] !== read[name]);
  return Object.fromEntries(changed.map((name) => [name, values[name]])) as Partial<
    Record<Name, string>
  >;
}

/** The same changes, as changes of the version that is stored now. What the user did not touch is as stored. */
export function rebase<Name extends string>(edited: Edited<Name>, now: Stored<Name>): Edited<Name> {
  return {
    version: now.version,
    read: now.values,
    values: { ...now.values, ...changesOf(edited) },
  };
}

const NOT_CHANGED = 'not changed';

/** The fields that the user, or somebody else meanwhile, has changed. */
export function conflictRowsOf<Name extends string>(
  labels: Values<Name>,
  edited: Edited<Name>,
  now: Stored<Name>,
): ConflictRow[] {
  const changes = changesOf(edited);
  const names = Object.keys(labels) as Name[];
  return names
    .filter((name) => name in changes || now.values[name] !== edited.read[name])
    .map((name) => ({
      label: labels[name],
      read: edited.read[name],
      now: now.values[name],
      yours: changes[name] ?? NOT_CHANGED,
    }));
}
