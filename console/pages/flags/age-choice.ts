type Query = Readonly<Record<string, string | undefined>>;

/** Periods of whole days, both ends included, as the counts of flags have them; the end may be open. */
export const AGE_WORDS = {
  '0-0': 'Less than a day',
  '1-6': '1 to 6 days',
  '7-29': '7 to 29 days',
  '7-': '7 days or more',
  '30-': '30 days or more',
} as const;

/** The two filters of the API as one choice; empty for any age. */
export function ageChoice({ ageDaysMin, ageDaysMax }: Query): string {
  return ageDaysMin === undefined && ageDaysMax === undefined
    ? ''
    : `${ageDaysMin ?? ''}-${ageDaysMax ?? ''}`;
}

export function ageFilters(choice: string): { ageDaysMin: string; ageDaysMax: string } {
  const [ageDaysMin = '', ageDaysMax = ''] = choice.split('-');
  return { ageDaysMin, ageDaysMax };
}
