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
import { Prisma } from '../../db/generated/client.ts';
import { newestFirst, readPageById } from '../../db/page.ts';
import type { Tx } from '../../db/prisma.ts';
import { findLastUses, revokeAccessTokens } from '../access/access-tokens.ts';
import {
  makeClientId,
  makeClientSecrets,
  rotateClientSecrets as rotate,
  type SecretKeys,
  createClient as saveClient,
} from '../access/clients.ts';
import { type By, recordAudit } from './audit.ts';
import { lockRow } from './lock.ts';
import { containsText, ORGANIZATION_SUMMARY, requireOrganizationOf } from './organizations.ts';
import { withChanges } from './with-changes.ts';

/** With the secrets that are valid at `now`. */
const shownAt = (now: Date) =>
  ({
    id: true,
    clientId: true,
    name: true,
    organization: { select: ORGANIZATION_SUMMARY },
    status: true,
    scopes: true,
    ipAllowlist: true,
    rateLimitPerMinute: true,
    version: true,
    createdAt: true,
    dryRunCount: { select: { count: true, lastAt: true } },
    secrets: {
      where: { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
      orderBy: [{ kind: 'asc' }, { version: 'asc' }],
      select: { kind: true, version: true, createdAt: true, expiresAt: true },
    },
  }) as const satisfies Prisma.ApiClientSelect;

type Row = Prisma.ApiClientGetPayload<{ select: ReturnType<typeof shownAt> }>;

async function clientOf(db: Tx, row: Row): Promise<Client> {
  const lastUses = await findLastUses(db, [row.id]);
  return presentClient(row, lastUses);
}

/** CHECK constraints hold the columns of text to the vocabularies of the contract. */
function presentClient(
  { createdAt, secrets, dryRunCount, ...row }: Row,
  lastUses: ReadonlyMap<string, Date>,
): Client {
  return {
    ...row,
    lastUsedAt: lastUses.get(row.id)?.toISOString() ?? null,
    dryRuns: {
      count: Number(dryRunCount?.count ?? 0),
      lastAt: dryRunCount?.lastAt.toISOString() ?? null,
    },
    secrets: secrets.map((secret) => ({
      ...secret,
      createdAt: secret.createdAt.toISOString(),
      expiresAt: secret.expiresAt?.toISOString() ?? null,
    })),
    createdAt: createdAt.toISOString(),
  } as Client;
}

/** Newest first. */
export function listClients(db: Tx, query: ClientQuery, now: Date): Promise<Page<Client>> {
  const { organizationId, status, scope, text, cursor, limit } = query;
  return readPageById(
    db,
    {
      id: Prisma.sql`c.id`,
      from: Prisma.sql`api_clients c`,
      conditions: [
        organizationId !== undefined && Prisma.sql`c.organization_id = ${organizationId}::uuid`,
        status !== undefined && Prisma.sql`c.status = ${status}`,
        scope !== undefined && Prisma.sql`${scope} = ANY(c.scopes)`,
        text !== undefined && containsText(text, ['c.name', 'c.client_id']),
      ],
      ...newestFirst('c'),
      cursor,
      limit,
    },
    async (ids) => {
      const where = { id: { in: ids } };
      const rows = await db.apiClient.findMany({ where, select: shownAt(now) });
      const lastUses = await findLastUses(db, ids);
      return rows.map((row) => presentClient(row, lastUses));
    },
  );
}

/** @throws {AppError} NOT_FOUND */
export async function requireClient(db: Tx, id: string, now: Date): Promise<Client> {
  const row = await db.apiClient.findUnique({ where: { id }, select: shownAt(now) });
  if (row === null) throw new AppError('NOT_FOUND', 'no such client');
  return clientOf(db, row);
}

/** With both secrets, which are never shown again. @throws {AppError} VALIDATION_FAILED */
export async function createClient(
  tx: Tx,
  body: CreateClientBody,
  keys: SecretKeys,
  by: By,
): Promise<ClientWithSecrets> {
  await requireOrganizationOf(tx, 'organizationId', body.organizationId, ORGANIZATION_TYPES);
  const secrets = makeClientSecrets();
  const clientId = makeClientId();
  const id = await saveClient(tx, { ...body, clientId, status: 'ACTIVE' }, secrets, keys);
  const row = await tx.apiClient.update({
    where: { id },
    data: { createdAt: by.at },
    select: shownAt(by.at),
  });
  await recordAudit(tx, {
    ...by,
    action: 'CLIENT_CREATED',
    target: { type: 'CLIENT', id },
    after: { clientId, ...body },
  });
  return { client: await clientOf(tx, row), ...secrets };
}

/** @throws {AppError} NOT_FOUND, CONFLICT */
export async function changeClient(
  tx: Tx,
  id: string,
  { expectedVersion, ...changes }: ChangeClientBody,
  by: By,
): Promise<Client> {
  await lockRow(tx, 'api_clients', id, expectedVersion, () => requireClient(tx, id, by.at));
  const client = await requireClient(tx, id, by.at);
  const { name, scopes, ipAllowlist, rateLimitPerMinute } = client;
  const before = { name, scopes, ipAllowlist, rateLimitPerMinute };
  const after = withChanges(before, changes);
  if (JSON.stringify(before) === JSON.stringify(after)) return client;
  const row = await tx.apiClient.update({
    where: { id },
    data: { ...after, version: { increment: 1 } },
    select: shownAt(by.at),
  });
  await recordAudit(tx, {
    ...by,
    action: 'CLIENT_CHANGED',
    target: { type: 'CLIENT', id },
    before,
    after,
  });
  return clientOf(tx, row);
}

/** @throws {AppError} NOT_FOUND */
export async function setClientStatus(
  tx: Tx,
  id: string,
  status: ClientStatus,
  by: By,
): Promise<Client> {
  await lockRow(tx, 'api_clients', id);
  const before = await requireClient(tx, id, by.at);
  if (before.status === status) return before;
  const row = await tx.apiClient.update({
    where: { id },
    data: { status, version: { increment: 1 } },
    select: shownAt(by.at),
  });
  await recordAudit(tx, {
    ...by,
    action: status === 'SUSPENDED' ? 'CLIENT_SUSPENDED' : 'CLIENT_REACTIVATED',
    target: { type: 'CLIENT', id },
    before: { status: before.status },
    after: { status },
  });
  return clientOf(tx, row);
}

/**
 * Without an overlap the earlier secrets end now, and so do the tokens that the client was granted with them.
 * @throws {AppError} NOT_FOUND, CONFLICT
 */
export async function rotateClientSecrets(
  tx: Tx,
  id: string,
  { secrets: kinds, overlapSeconds, expectedVersion }: RotateSecretsBody,
  keys: SecretKeys,
  by: By,
): Promise<ClientWithSecrets> {
  await lockRow(tx, 'api_clients', id, expectedVersion, () => requireClient(tx, id, by.at));
  const client = await requireClient(tx, id, by.at);
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
  const row = await tx.apiClient.update({
    where: { id },
    data: { version: { increment: 1 } },
    select: shownAt(by.at),
  });
  const revoked = overlapSeconds === 0 && (await revokeAccessTokens(tx, id, by.at));
  const heldBefore = client.secrets.filter(({ kind }) => kinds.includes(kind));
  await recordAudit(tx, {
    ...by,
    action: 'CLIENT_SECRETS_ROTATED',
    target: { type: 'CLIENT', id },
    before: { secrets: heldBefore.map(({ kind, version: held }) => ({ kind, version: held })) },
    after: {
      secrets: kinds.map((kind) => ({ kind, version })),
      overlapUntil,
      ...(revoked !== false && { revoked }),
    },
  });
  return {
    client: await clientOf(tx, row),
    clientSecret: replaced.clientSecret ?? null,
    signingSecret: replaced.signingSecret ?? null,
  };
}

/**
 * Returns how many tokens were alive. The client's version grows even when there was none: a token that was granted and is not
 * stored yet is granted anew. @throws {AppError} NOT_FOUND
 */
export async function revokeClientTokens(tx: Tx, id: string, by: By): Promise<number> {
  await lockRow(tx, 'api_clients', id);
  await tx.apiClient.update({
    where: { id },
    data: { version: { increment: 1 } },
    select: { id: true },
  });
  const revoked = await revokeAccessTokens(tx, id, by.at);
  if (revoked === 0) return 0;
  await recordAudit(tx, {
    ...by,
    action: 'CLIENT_TOKENS_REVOKED',
    target: { type: 'CLIENT', id },
    after: { revoked },
  });
  return revoked;
}
