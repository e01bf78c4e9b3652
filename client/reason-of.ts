/** Why a request got no answer. Some errors have the reason in `cause` or, for a host with several addresses, one error for each of them. */
export function reasonOf(error: unknown): string {
  if (!isObject(error)) return String(error);
  const { cause, errors } = error;
  if (Array.isArray(errors) && errors.length > 0) return reasonOf(errors[0]);
  return isObject(cause) ? reasonOf(cause) : String(error['message']);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
