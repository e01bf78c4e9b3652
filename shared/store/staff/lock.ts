import { makeConflict } from '../../contract/conflict.ts';
import { AppError } from '../../contract/errors.ts';
import { Prisma } from '../../db/generated/client.ts';
import type { Tx } from '../../db/prisma.ts';

/** The tables whose rows have a version, and the columns of their keys. */
const KEY_COLUMNS = {
  organizations: 'id',
  insurance_pools: 'organization_id',
  pool_memberships: 'id',
  api_clients: 'id',
  rule_sets: 'id',
} as const;

/**
 * Locks a row until the transaction ends, so that changes of one row run one after another. Rows that refer to it can be
 * written meanwhile: an organization that is being renamed still transmits. Without `expectedVersion` any version is accepted.
 * `readCurrent` reads the object that the caller of a refused change gets (D71).
 * @throws {AppError} NOT_FOUND; CONFLICT when the row has changed since the caller read `expectedVersion`
 */
export async function lockRow(
  tx: Tx,
  table: keyof typeof KEY_COLUMNS,
  id: string,
  expectedVersion?: number,
  readCurrent?: () => Promise<object>,
): Promise<void> {
  const [row] = await tx.$queryRaw<{ version: number }[]>`
    SELECT version FROM ${Prisma.raw(table)} WHERE ${Prisma.raw(KEY_COLUMNS[table])} = ${id}::uuid
    FOR NO KEY UPDATE`;
  if (row === undefined) throw new AppError('NOT_FOUND', `no such row in ${table}`);
  if (expectedVersion === undefined || row.version === expectedVersion) return;
  const current = await readCurrent?.();
  throw makeConflict('STALE_VERSION', {
    reason: `version is ${row.version}, ${expectedVersion} was expected`,
    message: 'It was changed meanwhile; read it again.',
    ...(current !== undefined && { current }),
  });
}

/**
 * Locks every active administrator, always in the same order, and returns their ids. A transaction that manages
 * users takes this lock first: of two that would remove the last two administrators at once, the second sees the first's change.
 */
export async function lockAdministrators(tx: Tx): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM staff_users WHERE role = 'ADMINISTRATOR' AND status = 'ACTIVE' ORDER BY id FOR UPDATE`;
  return rows.map(({ id }) => id);
}

/** Locks a user's row until the transaction ends. No session of the user can be opened meanwhile. */
export async function lockUserRow(tx: Tx, userId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 AS locked FROM staff_users WHERE id = ${userId}::uuid FOR UPDATE`;
}
