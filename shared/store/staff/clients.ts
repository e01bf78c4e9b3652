import { type ClientStatus, ORGANIZATION_TYPES } from '../../contract/enums.ts';
import { AppError } from '../../contract/errors.ts';
import type { Page } from '../../contract/machine/paging.ts';
import type {
  ChangeClientBody,
  Client,
  ClientQuery,
  ClientWithSecrets,
  CreateClientBody,
  RotateSecretsBody,
} from '../../contract/staff/clients.ts';
import type { AuditAction } from '../../contract/staff.ts';
import { Prisma } from '../../db/generated/client.ts';
import { readPage } from '../../db/page.ts';
import type { Db, Tx } from '../../db/prisma.ts';
import { revokeAccessTokens } from '../access/access-tokens.ts';
import {
  createClient as create,
  makeClientId,
  makeClientSecrets,
  rotateClientSecrets as rotate,
  type SecretKeys,
} from '../access/clients.ts';
import { organizationJson } from '../registry/records/record-columns.ts';
import { type AuditAct, recordAudit } from './audit.ts';
import { requireVersion } from './expected-version.ts';
import { holdsText, requireOrganizationOf } from './organizations.ts';
import type { By } from './users.ts';
import { withChanges } from './with-changes.ts';

interface ClientRow extends Omit<Client, 'createdAt'> {
  readonly createdAt: Date;
}

const columnsAt = (now: Date) => Prisma.sql`
  c.id::text, c.client_id AS "clientId", c.name, ${organizationJson('o')} AS organization, c.status, c.scopes,
  c.ip_allowlist AS "ipAllowlist", c.rate_limit_per_minute AS "rateLimitPerMinute", c.version,
  c.created_at AS "createdAt", (
    SELECT coalesce(json_agg(json_build_object('kind', s.kind, 'version', s.version, 'createdAt', s.created_at,
      'expiresAt', s.expires_at) ORDER BY s.kind, s.version), '[]')
    FROM client_secrets s
    WHERE s.api_client_id = c.id AND (s.expires_at IS NULL OR s.expires_at > ${now}::timestamptz)) AS secrets`;
const FROM = Prisma.sql`api_clients c JOIN organizations o ON o.id = c.organization_id`;

/** Newest first. */
export async function listClients(db: Db, query: ClientQuery, now: Date): Promise<Page<Client>> {
  const { organizationId, status, scope, text, cursor, limit } = query;
  const page = await readPage<ClientRow>(db, {
    columns: columnsAt(now),
    from: FROM,
    conditions: [
      ...(organizationId === undefined
        ? []
        : [Prisma.sql`c.organization_id = ${organizationId}::uuid`]),
      ...(status === undefined ? [] : [Prisma.sql`c.status = ${status}`]),
      ...(scope === undefined ? [] : [Prisma.sql`${scope} = ANY(c.scopes)`]),
      ...(text === undefined
        ? []
        : [holdsText(text, [Prisma.sql`c.name`, Prisma.sql`c.client_id`])]),
    ],
    keys: [
      { sql: Prisma.sql`c.created_at`, type: 'timestamptz' },
      { sql: Prisma.sql`c.id`, type: 'uuid' },
    ],
    order: 'DESC',
    cursor,
    limit,
  });
  return { ...page, items: page.items.map(clientOf) };
}

/** @throws {AppError} NOT_FOUND */
export async function requireClient(db: Db | Tx, id: string, now: Date): Promise<Client> {
  const [row] = await db.$queryRaw<ClientRow[]>`
    SELECT ${columnsAt(now)} FROM ${FROM} WHERE c.id = ${id}::uuid`;
  if (row === undefined) throw new AppError('NOT_FOUND', 'no such client');
  return clientOf(row);
}

function clientOf({ createdAt, secrets, ...row }: ClientRow): Client {
  return {
    ...row,
    secrets: secrets.map((secret) => ({
      ...secret,
      createdAt: new Date(secret.createdAt).toISOString(),
      expiresAt: secret.expiresAt === null ? null : new Date(secret.expiresAt).toISOString(),
    })),
    createdAt: createdAt.toISOString(),
  };
}

/** With both secrets, which nothing tells again. @throws {AppError} VALIDATION_FAILED */
export async function issueClient(
  tx: Tx,
  body: CreateClientBody,
  keys: SecretKeys,
  by: By,
): Promise<ClientWithSecrets> {
  await requireOrganizationOf(tx, 'organizationId', body.organizationId, ORGANIZATION_TYPES);
  const secrets = makeClientSecrets();
  const clientId = makeClientId();
  const id = await create(tx, { ...body, clientId, status: 'ACTIVE' }, secrets, keys);
  await tx.apiClient.update({ where: { id }, data: { createdAt: by.at }, select: { id: true } });
  await recordAct(tx, 'CLIENT_CREATED', id, by, { after: { clientId, ...body } });
  return { client: await requireClient(tx, id, by.at), ...secrets };
}

/** @throws {AppError} NOT_FOUND, CONFLICT */
export async function changeClient(
  tx: Tx,
  id: string,
  { expectedVersion, ...changes }: ChangeClientBody,
  by: By,
): Promise<Client> {
  const client = await lockClient(tx, id, by.at);
  requireVersion(client.version, expectedVersion);
  const { name, scopes, ipAllowlist, rateLimitPerMinute } = client;
  const before = { name, scopes, ipAllowlist, rateLimitPerMinute };
  const after = withChanges(before, changes);
  if (JSON.stringify(before) === JSON.stringify(after)) return client;
  await tx.apiClient.update({
    where: { id },
    data: { ...after, version: { increment: 1 } },
    select: { id: true },
  });
  await recordAct(tx, 'CLIENT_CHANGED', id, by, { before, after });
  return requireClient(tx, id, by.at);
}

/** @throws {AppError} NOT_FOUND */
export async function setClientStatus(
  tx: Tx,
  id: string,
  status: ClientStatus,
  by: By,
): Promise<Client> {
  const before = await lockClient(tx, id, by.at);
  if (before.status === status) return before;
  await tx.apiClient.update({
    where: { id },
    data: { status, version: { increment: 1 } },
    select: { id: true },
  });
  const action = status === 'SUSPENDED' ? 'CLIENT_SUSPENDED' : 'CLIENT_REACTIVATED';
  await recordAct(tx, action, id, by, { before: { status: before.status }, after: { status } });
  return requireClient(tx, id, by.at);
}

/**
 * Without an overlap the earlier secrets are worth nothing from now on, and neither is what was got with them: the client's tokens
 * end, too. @throws {AppError} NOT_FOUND, CONFLICT
 */
export async function replaceClientSecrets(
  tx: Tx,
  id: string,
  { secrets: kinds, overlapSeconds, expectedVersion }: RotateSecretsBody,
  keys: SecretKeys,
  by: By,
): Promise<ClientWithSecrets> {
  const client = await lockClient(tx, id, by.at);
  requireVersion(client.version, expectedVersion);
  const { clientSecret, signingSecret } = makeClientSecrets();
  const replaced = {
    ...(kinds.includes('CLIENT_SECRET') && { clientSecret }),
    ...(kinds.includes('SIGNING_SECRET') && { signingSecret }),
  };
  const overlapUntil = new Date(by.at.getTime() + overlapSeconds * 1_000);
  const version = await rotate(
    tx,
    { apiClientId: id, clientId: client.clientId, overlapUntil },
    replaced,
    keys,
  );
  await tx.apiClient.update({
    where: { id },
    data: { version: { increment: 1 } },
    select: { id: true },
  });
  const revoked = overlapSeconds === 0 && (await revokeAccessTokens(tx, id, by.at));
  const heldBefore = client.secrets.filter(({ kind }) => kinds.includes(kind));
  await recordAct(tx, 'CLIENT_SECRETS_ROTATED', id, by, {
    before: { secrets: heldBefore.map(({ kind, version: held }) => ({ kind, version: held })) },
    after: {
      secrets: kinds.map((kind) => ({ kind, version })),
      overlapUntil,
      ...(revoked !== false && { revoked }),
    },
  });
  return {
    client: await requireClient(tx, id, by.at),
    clientSecret: replaced.clientSecret ?? null,
    signingSecret: replaced.signingSecret ?? null,
  };
}

/**
 * Returns how many tokens were alive. The client's version grows also when there was none: a token that was granted and is not yet
 * stored is granted anew. @throws {AppError} NOT_FOUND
 */
export async function revokeClientTokens(tx: Tx, id: string, by: By): Promise<number> {
  await lockClient(tx, id, by.at);
  await tx.apiClient.update({
    where: { id },
    data: { version: { increment: 1 } },
    select: { id: true },
  });
  const revoked = await revokeAccessTokens(tx, id, by.at);
  if (revoked > 0) await recordAct(tx, 'CLIENT_TOKENS_REVOKED', id, by, { after: { revoked } });
  return revoked;
}

/** Its requests are answered and recorded meanwhile. */
async function lockClient(tx: Tx, id: string, now: Date): Promise<Client> {
  await tx.$queryRaw`SELECT 1 AS locked FROM api_clients WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return requireClient(tx, id, now);
}

function recordAct(
  tx: Tx,
  action: AuditAction,
  id: string,
  by: By,
  change: Pick<AuditAct, 'before' | 'after'>,
): Promise<void> {
  return recordAudit(tx, { ...by, action, target: { type: 'CLIENT', id }, ...change });
}
