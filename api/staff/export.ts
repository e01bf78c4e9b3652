import { once } from 'node:events';
import type { Request, Response } from 'express';
import { EXPORT_PAGE_ROWS, type Page } from '../../shared/contract/machine/paging.ts';
import { ADMIN_BASE, EXPORT_ROWS_MAX } from '../../shared/contract/staff/endpoint.ts';
import type { StaffEndpointName } from '../../shared/contract/staff/endpoints.ts';
import { maskEmail } from '../../shared/domain/presentation/masking.ts';
import { recordAudit } from '../../shared/store/staff/audit.ts';
import type { StaffSession } from '../../shared/store/staff/sign-in/sessions.ts';
import type { ApiContext } from '../context.ts';
import { CSV_START, csvLine, valueAt } from '../http/csv-text.ts';
import { CallerGone } from '../http/respond.ts';
import { actAsStaff } from './act.ts';

/** Whether the caller prefers CSV to JSON. */
export function wantsCsv(request: Request): boolean {
  return request.accepts(['application/json', 'text/csv']) === 'text/csv';
}

export interface ListExport {
  readonly request: {
    readonly name: StaffEndpointName;
    readonly session: StaffSession;
    readonly address: string;
    readonly requestId: string;
    readonly params: object | undefined;
    readonly query: object | undefined;
    readonly signal: AbortSignal;
  };
  /** The path of the list. */
  readonly path: string;
  /** Paths of members of an item. */
  readonly columns: readonly string[];
  readonly readPage: (query: object) => Promise<Page<unknown>>;
}

/**
 * Sends all rows of a list as CSV, page by page (D82). The last line says that the file is complete, or why not: a connection that
 * breaks leaves a file without it. The export is in the audit log before the first row is sent.
 */
export async function sendCsv(
  context: ApiContext,
  response: Response,
  { request, path, columns, readPage }: ListExport,
): Promise<void> {
  const { params, query, signal } = request;
  const list = nameOf(path);
  const filters = filtersOf({ ...params, ...query });
  await actAsStaff(context, request, (tx, by) =>
    recordAudit(tx, {
      ...by,
      action: 'LIST_EXPORTED',
      target: { type: 'LIST', id: list },
      after: { filters },
    }),
  );
  let page = await readPage({ ...query, cursor: undefined, limit: EXPORT_PAGE_ROWS });
  response.status(200);
  response.setHeader('Content-Type', 'text/csv; charset=utf-8');
  response.setHeader('Content-Disposition', `attachment; filename="${list}.csv"`);
  response.setHeader('Cache-Control', 'no-store');
  await write(response, `${CSV_START}${csvLine(columns)}`, signal);
  let rows = 0;
  for (;;) {
    const items = page.items.slice(0, EXPORT_ROWS_MAX - rows);
    rows += items.length;
    const lines = items.map((item) => csvLine(columns.map((column) => valueAt(item, column))));
    await write(response, lines.join(''), signal);
    if (page.nextCursor === null || rows === EXPORT_ROWS_MAX) break;
    page = await readPage({ ...query, cursor: page.nextCursor, limit: EXPORT_PAGE_ROWS });
  }
  const isComplete = page.nextCursor === null;
  response.end(
    `# ${isComplete ? 'complete' : 'incomplete, the limit is reached'}, ${rows} rows\r\n`,
  );
}

/** `/admin/v1/reference/imports/{importId}/errors` → `reference-imports-errors`. */
function nameOf(path: string): string {
  const parts = path.slice(ADMIN_BASE.length + 1).split('/');
  return parts.filter((part) => !part.startsWith('{')).join('-');
}

/** The given filters. Addresses of users are masked, as everywhere in the audit log. */
function filtersOf(query: Readonly<Record<string, unknown>>): object {
  const { cursor: _cursor, limit: _limit, reviewedBy, ...filters } = query;
  return typeof reviewedBy === 'string'
    ? { ...filters, reviewedBy: maskEmail(reviewedBy) }
    : filters;
}

/** Waits until the connection takes more. @throws {CallerGone} when it is closed */
async function write(response: Response, text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw new CallerGone('the caller closed the connection during an export');
  if (response.write(text)) return;
  await once(response, 'drain', { signal }).catch((cause: unknown) => {
    throw new CallerGone('the caller closed the connection during an export', { cause });
  });
}
