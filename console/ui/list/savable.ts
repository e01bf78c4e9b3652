/** Says whether a value of a filter may be kept in this browser: never text that may name a person. */
export type IsSavable = (value: string) => boolean;

/** The filters of a list that a saved view may have, by the names of the API. */
export type SavableFilters = Readonly<Record<string, IsSavable>>;

/** Values of a vocabulary, separated by commas. */
export function oneOrMoreOf(values: readonly string[]): IsSavable {
  return (value) => value.split(',').every((one) => values.includes(one));
}

const CODES = /^[A-Z0-9]+(?:[-,][A-Z0-9]+)*$/;
const MOMENT = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/;
const WHOLE_NUMBER = /^\d{1,9}$/;

/** Codes of organizations, which have no lower-case letters and no spaces. */
export const areCodes: IsSavable = (value) => CODES.test(value);
export const isMoment: IsSavable = (value) => MOMENT.test(value);
export const isWholeNumber: IsSavable = (value) => WHOLE_NUMBER.test(value);
export const isBoolean: IsSavable = oneOrMoreOf(['true', 'false']);

export interface SavableSearch {
  /** The search part of a link: empty, or with its question mark. */
  readonly search: string;
  /** The filters that are not in it. */
  readonly left: readonly string[];
}

/** The part of the filters that may be saved. The page of the list is not part of a view. */
export function savableSearch(
  query: Readonly<Record<string, string>>,
  savable: SavableFilters,
): SavableSearch {
  const params = new URLSearchParams();
  const left: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (name === 'cursor') continue;
    if (Object.hasOwn(savable, name) && savable[name]?.(value)) params.set(name, value);
    else left.push(name);
  }
  return { search: params.size === 0 ? '' : `?${params}`, left };
}

export interface SavedView {
  readonly name: string;
  readonly search: string;
}

/** The views in a stored text. What is no view, or may not be kept, is dropped. */
export function parseViews(text: string | null, savable: SavableFilters): SavedView[] {
  return parseList(text)
    .filter(isView)
    .map(({ name, search }) => {
      const query = Object.fromEntries(new URLSearchParams(search));
      return { name, search: savableSearch(query, savable).search };
    });
}

function parseList(text: string | null): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false;
  const { name, search } = value as Partial<Record<keyof SavedView, unknown>>;
  return typeof name === 'string' && typeof search === 'string';
}
