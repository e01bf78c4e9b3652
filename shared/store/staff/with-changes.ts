/** The values, with the given changes applied. Undefined members change nothing. */
export function withChanges<Values extends object>(
  values: Values,
  changes: { readonly [Name in keyof Values]?: Values[Name] | undefined },
): Values {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...values, ...Object.fromEntries(given) };
}
