import type { SecretKind } from '../../../contract/enums.ts';
import {
  ENDING_SECRETS_MAX,
  type Overview,
  TODAY_COUNTED_MAX,
  TOP_ERROR_CODES,
} from '../../../contract/staff/views/overview.ts';
import type { Db } from '../../../db/prisma.ts';
import { countFlags } from '../flags/counts.ts';

type ReadDb = Pick<Db, '$queryRaw'>;

/** `dayStart` is the first instant of the registry's day. */
export async function readOverview(db: ReadDb, dayStart: Date, now: Date): Promise<Overview> {
  const [waiting] = await db.$queryRaw<{ parked: number; imports: number }[]>`
    SELECT
      (SELECT count(*)::int FROM transmissions
        WHERE parked_at IS NOT NULL AND status IN ('RECEIVED', 'VALIDATING')) AS parked,
      (SELECT count(*)::int FROM reference_imports WHERE status IN ('QUEUED', 'RUNNING')) AS imports`;
  return {
    openFlags: await countFlags(db, { status: ['OPEN'] }, now),
    transmissionsToday: await countToday(db, dayStart),
    parked: waiting?.parked ?? 0,
    importsInProgress: waiting?.imports ?? 0,
    endingSecrets: await listEndingSecrets(db, now),
  };
}

type Today = Overview['transmissionsToday'];
type TodayRow = {
  status: Today['byStatus'][number]['status'];
  errorCode: Today['topErrorCodes'][number]['errorCode'] | null;
  count: number;
};

/** The latest transmissions of the day, by the index of their receipt. */
async function countToday(db: ReadDb, dayStart: Date): Promise<Today> {
  const rows = await db.$queryRaw<TodayRow[]>`
    SELECT status, error_code AS "errorCode", count(*)::int AS count
    FROM (
      SELECT status, error_code FROM transmissions WHERE received_at >= ${dayStart}::timestamptz
      ORDER BY received_at DESC LIMIT ${TODAY_COUNTED_MAX + 1}) AS latest
    GROUP BY status, error_code ORDER BY count DESC, status, error_code`;
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const statuses = [...new Set(rows.map(({ status }) => status))].sort();
  const countOf = (status: TodayRow['status']) =>
    rows.reduce((sum, row) => sum + (row.status === status ? row.count : 0), 0);
  const rejected = rows.flatMap(({ errorCode, count }) =>
    errorCode === null ? [] : { errorCode, count },
  );
  return {
    from: dayStart.toISOString(),
    total: Math.min(total, TODAY_COUNTED_MAX),
    isComplete: total <= TODAY_COUNTED_MAX,
    byStatus: statuses.map((status) => ({ status, count: countOf(status) })),
    topErrorCodes: rejected.slice(0, TOP_ERROR_CODES),
  };
}

interface EndingRow {
  readonly apiClientId: string;
  readonly clientName: string;
  readonly organizationCode: string;
  readonly kind: SecretKind;
  readonly version: number;
  readonly expiresAt: Date;
}

/** A secret has an end only while its replacement overlaps, which is at most a day. */
async function listEndingSecrets(db: ReadDb, now: Date): Promise<Overview['endingSecrets']> {
  const rows = await db.$queryRaw<EndingRow[]>`
    SELECT c.id::text AS "apiClientId", c.name AS "clientName", o.code AS "organizationCode", s.kind, s.version,
      s.expires_at AS "expiresAt"
    FROM client_secrets s JOIN api_clients c ON c.id = s.api_client_id JOIN organizations o ON o.id = c.organization_id
    WHERE s.expires_at > ${now}::timestamptz
    ORDER BY s.expires_at, c.id, s.kind LIMIT ${ENDING_SECRETS_MAX}`;
  return rows.map((row) => ({ ...row, expiresAt: row.expiresAt.toISOString() }));
}
