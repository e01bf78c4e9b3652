import { IDENTIFIER_KINDS, type TransmissionKind } from '../../contract/enums.ts';
import { AppError } from '../../contract/errors.ts';
import type { FindingCode } from '../../contract/findings.ts';
import type { Page } from '../../contract/machine/paging.ts';
import type {
  TransmissionDetail,
  TransmissionItem,
  TransmissionQuery,
} from '../../contract/staff/records.ts';
import { Prisma } from '../../db/generated/client.ts';
import { rowsWhere } from '../../db/look-up.ts';
import { type Condition, readPage } from '../../db/page.ts';
import type { Tx } from '../../db/prisma.ts';
import { normalizeIdentifier } from '../../domain/identifiers.ts';
import type { Keyring } from '../../platform/secrets/sealing.ts';
import { identifierKey } from '../registry/commit/identifier-key.ts';
import { organizationJson } from '../registry/records/record-columns.ts';

type Stamped = 'receivedAt' | 'completedAt' | 'parkedAt';

export interface TransmissionRow extends Omit<TransmissionItem, Stamped> {
  readonly receivedAt: Date;
  readonly completedAt: Date | null;
  readonly parkedAt: Date | null;
}

/** The select list of a transmission `t` of the organization `o`. */
export const TRANSMISSION_COLUMNS = Prisma.sql`
  t.id::text, t.transmission_reference AS "transmissionReference", t.kind, t.channel, t.status,
  ${organizationJson('o')} AS "transmittingOrg", t.external_transaction_id AS "externalTransactionId",
  t.acknowledgment->>'registryReference' AS "registryReference", t.policy_number AS "policyNumber",
  t.coc_number AS "cocNumber", coalesce(t.acknowledgment->'plateNumbers', '[]') AS "plateNumbers",
  t.error_code AS "errorCode", t.actor, t.received_at AS "receivedAt", t.completed_at AS "completedAt",
  t.issuing_insurer_code AS "issuingInsurerCode", t.vehicle_count AS "vehicleCount", t.attempts,
  t.last_error AS "lastError", t.parked_at AS "parkedAt"`;
export const TRANSMISSION_TABLES = Prisma.sql`
  transmissions t JOIN organizations o ON o.id = t.organization_id`;

export function transmissionItemOf(row: TransmissionRow): TransmissionItem {
  return {
    ...row,
    receivedAt: row.receivedAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
    parkedAt: row.parkedAt?.toISOString() ?? null,
  };
}

/**
 * Transmissions of all organizations, the newest first: in the order of their references, which have an index and, up to nine
 * digits, are in the order of receipt (D13). With a filter by time they are in the order of receipt times: an index of references would be
 * read from the newest to find old ones.
 */
export async function listTransmissions(
  db: Tx,
  query: TransmissionQuery,
): Promise<Page<TransmissionItem>> {
  const page = await readPage<TransmissionRow>(db, {
    columns: TRANSMISSION_COLUMNS,
    from: TRANSMISSION_TABLES,
    conditions: conditionsOf(query),
    keys: isBetweenTimes(query) ? [TIME_KEY, REFERENCE_KEY] : [REFERENCE_KEY],
    order: 'DESC',
    cursor: query.cursor,
    limit: query.limit,
  });
  return { ...page, items: page.items.map(transmissionItemOf) };
}

const REFERENCE_KEY = { sql: Prisma.sql`t.transmission_reference`, type: 'text' } as const;
const TIME_KEY = { sql: Prisma.sql`t.received_at`, type: 'timestamptz' } as const;
function isBetweenTimes({ receivedFrom, receivedTo }: TransmissionQuery): boolean {
  return receivedFrom !== undefined || receivedTo !== undefined;
}

function conditionsOf(query: TransmissionQuery): Condition[] {
  const { status, kind, channel, organizationCode, insurerCode, externalTransactionId } = query;
  const { registryReference, policyNumber, cocNumber, errorCode, parked } = query;
  const { receivedFrom, receivedTo, findingCode, identifier, apiClientId } = query;
  return [
    status !== undefined && Prisma.sql`t.status = ${status}`,
    kind !== undefined && Prisma.sql`t.kind = ${kind}`,
    channel !== undefined && Prisma.sql`t.channel = ${channel}`,
    organizationCode !== undefined &&
      Prisma.sql`t.organization_id = (SELECT id FROM organizations WHERE code = ${organizationCode})`,
    insurerCode !== undefined && Prisma.sql`t.issuing_insurer_code = ${insurerCode}`,
    // Naming every organization lets the database use the index of the idempotency keys.
    externalTransactionId !== undefined &&
      Prisma.sql`t.organization_id = ANY(ARRAY(SELECT id FROM organizations))
        AND t.external_transaction_id = ${externalTransactionId}`,
    registryReference !== undefined &&
      isAboutOneOf(Prisma.sql`
        SELECT id FROM certificates WHERE registry_reference = ${registryReference}`),
    identifier !== undefined && isAboutOneOf(certificatesOf(normalizeIdentifier(identifier) ?? '')),
    apiClientId !== undefined && Prisma.sql`t.api_client_id = ${apiClientId}::uuid`,
    findingCode !== undefined && hasFinding(findingCode),
    policyNumber !== undefined &&
      hasNumber(
        Prisma.sql`t.policy_number = ${policyNumber}`,
        Prisma.sql`SELECT c.id FROM policies p JOIN certificates c ON c.policy_id = p.id
          WHERE p.policy_number = ${policyNumber}`,
      ),
    cocNumber !== undefined &&
      hasNumber(
        Prisma.sql`t.coc_number = ${cocNumber}`,
        Prisma.sql`SELECT id FROM certificates WHERE coc_number = ${cocNumber}`,
      ),
    errorCode !== undefined && Prisma.sql`t.error_code = ${errorCode}`,
    parked !== undefined && Prisma.raw(`t.parked_at IS ${parked ? 'NOT ' : ''}NULL`),
    receivedFrom !== undefined && Prisma.sql`t.received_at >= ${receivedFrom}::timestamptz`,
    receivedTo !== undefined && Prisma.sql`t.received_at < ${receivedTo}::timestamptz`,
  ];
}

/** Each alternative is served by an index: of records, of rejected, of unfinished and of parked transmissions. */
function hasNumber(isEqual: Prisma.Sql, certificates: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    (t.certificate_id = ANY(ARRAY(${certificates})) AND ${isEqual})
    OR (t.status = 'REJECTED' AND ${isEqual})
    OR (t.status IN ('RECEIVED', 'VALIDATING') AND t.parked_at IS NULL AND ${isEqual})
    OR (t.parked_at IS NOT NULL AND ${isEqual}))`;
}

/** Whether the transmission created, changed or tried to change one of these certificates. */
function isAboutOneOf(certificates: Prisma.Sql): Prisma.Sql {
  const ids = Prisma.sql`ANY(ARRAY(${certificates}))`;
  return Prisma.sql`t.id IN (
    SELECT id FROM transmissions WHERE certificate_id = ${ids}
    UNION SELECT id FROM transmissions WHERE target_certificate_id = ${ids})`;
}

/** The certificates on which a vehicle is or was that has or had the identifier, of any kind. */
function certificatesOf(value: string): Prisma.Sql {
  const keys = IDENTIFIER_KINDS.map((kind) => identifierKey({ kind, value }));
  const isIt = Prisma.sql`key = ANY(${keys}::bigint[]) AND value = ${value}`;
  return Prisma.sql`
    SELECT cv.certificate_id FROM ${rowsWhere('vehicle_identifiers', isIt)} vi
    CROSS JOIN ${rowsWhere('certificate_vehicles', Prisma.sql`vehicle_id = vi.vehicle_id`)} cv`;
}

/** The findings of a terminal transmission are in its acknowledgment. */
function hasFinding(code: FindingCode): Prisma.Sql {
  const [errors, warnings] = ['errors', 'warnings'].map((list) =>
    JSON.stringify({ [list]: [{ code }] }),
  );
  return Prisma.sql`(t.acknowledgment::jsonb @> ${errors}::jsonb OR t.acknowledgment::jsonb @> ${warnings}::jsonb)`;
}

interface DetailRow
  extends TransmissionRow,
    Omit<TransmissionDetail, keyof TransmissionItem | 'dueAt'> {
  readonly dueAt: Date | null;
}

/** @throws {AppError} NOT_FOUND */
export async function requireTransmissionDetail(
  db: Tx,
  transmissionReference: string,
): Promise<TransmissionDetail> {
  const [row] = await db.$queryRaw<DetailRow[]>`
    SELECT ${TRANSMISSION_COLUMNS}, t.request_id AS "requestId", t.unknown_fields AS "unknownFields", t.failures,
      CASE WHEN t.completed_at IS NULL AND t.parked_at IS NULL THEN t.due_at END AS "dueAt", t.acknowledgment,
      target.registry_reference AS "targetRegistryReference",
      CASE WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'clientId', a.client_id, 'name', a.name) END
        AS "apiClient"
    FROM ${TRANSMISSION_TABLES}
    LEFT JOIN api_clients a ON a.id = t.api_client_id
    LEFT JOIN certificates target ON target.id = t.target_certificate_id
    WHERE t.transmission_reference = ${transmissionReference}`;
  if (row === undefined) throw new AppError('NOT_FOUND', 'no such transmission');
  return { ...row, ...transmissionItemOf(row), dueAt: row.dueAt?.toISOString() ?? null };
}

export interface SubmittedRow {
  readonly kind: TransmissionKind;
  /** Personal data is plain in it. */
  readonly body: object;
}

/** The known members of a body as it was submitted. @throws {AppError} NOT_FOUND */
export async function requireSubmittedBody(
  db: Tx,
  keyring: Keyring,
  transmissionReference: string,
): Promise<SubmittedRow> {
  const row = await db.transmission.findUnique({
    where: { transmissionReference },
    select: { id: true, kind: true, bodySealed: true },
  });
  if (row === null) throw new AppError('NOT_FOUND', 'no such transmission');
  const opened = keyring.open(Buffer.from(row.bodySealed), row.id).toString();
  return { kind: row.kind as TransmissionKind, body: JSON.parse(opened) as object };
}
