/** A value that a verdict without rejection has proven present. */
export function assertPresent<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) {
    throw new Error('a verdict passed although a required value is absent');
  }
  return value;
}
