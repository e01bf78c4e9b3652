/** A list with filters, by the names of the API. A filter of null is left out. */
export function listPath(
  list: string,
  filters: Readonly<Record<string, string | number | null>>,
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filters))
    if (value !== null) params.set(name, String(value));
  return `${list}?${params}`;
}

interface Age {
  readonly ageDaysMin: number;
  readonly ageDaysMax: number | null;
}

/** The age of flags in words: "today", "1 to 6 days", "30 days and more". */
export function ageInWords({ ageDaysMin, ageDaysMax }: Age): string {
  if (ageDaysMax === 0) return 'Less than a day';
  return ageDaysMax === null
    ? `${ageDaysMin} days and more`
    : `${ageDaysMin} to ${ageDaysMax} days`;
}

/** A count that stopped at its limit says so. */
export function writeTotal(total: number, isComplete: boolean): string {
  return `${total.toLocaleString('en')}${isComplete ? '' : ' or more'}`;
}
