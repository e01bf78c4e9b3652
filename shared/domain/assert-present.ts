/** For a value that is present whenever the verdict is not REJECTED. Throws when it is absent. */
export function assertPresent<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) {
    throw new Error('the transmission passed the rules, but a required value is absent');
  }
  return value;
}
