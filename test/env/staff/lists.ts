import type { AuditItem } from '../../../shared/contract/staff/audit.ts';
import type { AuditTargetType } from '../../../shared/contract/staff.ts';
import type { TestAnswer } from '../api/signed-request.ts';
import type { StaffBrowser } from './staff.ts';

export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  readonly total: number;
}

/** Reads a page; throws when the request is refused. */
export async function listPage<Item>(browser: StaffBrowser, path: string): Promise<Listed<Item>> {
  const { status, envelope, text } = await browser.get(path);
  if (status !== 200) throw new Error(`refused: ${text}`);
  return envelope.data as unknown as Listed<Item>;
}

/** Reads every item with one item per page, in order to use the cursors. */
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

/** The audited actions on a target, oldest first. */
export async function auditedActions(
  browser: StaffBrowser,
  targetType: AuditTargetType,
  targetId: string,
): Promise<Act[]> {
  const query = `targetType=${targetType}&targetId=${targetId}&limit=200`;
  const { items } = await listPage<AuditItem>(browser, `/admin/v1/audit?${query}`);
  return items.map(({ action, before, after }) => ({ action, before, after })).reverse();
}

/** The fields of an error's details, in order. */
export function fieldsOf({ envelope }: TestAnswer): (string | null | undefined)[] {
  return (envelope.error?.details ?? []).map(({ field }) => field);
}
