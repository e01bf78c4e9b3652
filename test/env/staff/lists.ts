import type { AuditItem } from '../../../shared/contract/staff/audit.ts';
import type { AuditTargetType } from '../../../shared/contract/staff.ts';
import type { TestAnswer } from '../api/signed-request.ts';
import type { StaffBrowser } from './staff.ts';

export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  readonly total: number;
}

/** A page; throws when the list refuses. */
export async function listPage<Item>(browser: StaffBrowser, path: string): Promise<Listed<Item>> {
  const { status, envelope, text } = await browser.get(path);
  if (status !== 200) throw new Error(`refused: ${text}`);
  return envelope.data as unknown as Listed<Item>;
}

/** Every item, one a page, so that the cursors are walked. */
export async function listAll<Item>(browser: StaffBrowser, path: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const separator = path.includes('?') ? '&' : '?';
    const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page: Listed<Item> = await listPage(browser, `${path}${separator}limit=1${next}`);
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

export type Act = Pick<AuditItem, 'action' | 'before' | 'after'>;

/** What was audited about a target, first act first. */
export async function actsOn(
  browser: StaffBrowser,
  targetType: AuditTargetType,
  targetId: string,
): Promise<Act[]> {
  const query = `targetType=${targetType}&targetId=${targetId}&limit=200`;
  const { items } = await listPage<AuditItem>(browser, `/admin/v1/audit?${query}`);
  return items.map(({ action, before, after }) => ({ action, before, after })).reverse();
}

/** The fields that a refusal names, in its order. */
export function fieldsOf({ envelope }: TestAnswer): (string | null | undefined)[] {
  return (envelope.error?.details ?? []).map(({ field }) => field);
}
