import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type {
  ClientStatus,
  OrganizationStatus,
  OrganizationType,
  Scope,
  SecretKind,
} from '../../contract/enums.ts';
import type { Db, Tx } from '../../db/prisma.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Pepper } from '../../platform/config/config-values.ts';
import type { Keyring } from '../../platform/secrets/sealing.ts';
import { lockRow } from '../staff/lock.ts';

export interface ApiClientRow {
  readonly apiClientId: string;
  /** The public id. */
  readonly clientId: string;
  readonly clientName: string;
  readonly clientStatus: ClientStatus;
  readonly scopes: readonly Scope[];
  readonly ipAllowlist: readonly string[];
  readonly rateLimitPerMinute: number;
}

/** The client of a token, with everything that the authentication steps need (D19). */
export interface TokenHolder extends ApiClientRow {
  readonly organizationId: string;
  readonly organizationCode: string;
  readonly organizationType: OrganizationType;
  readonly organizationStatus: OrganizationStatus;
  /** The token's scopes that the client still has. */
  readonly tokenScopes: readonly Scope[];
  /** The secrets that are valid now, newest first. There are several while a secret is being rotated. */
  readonly signingSecrets: readonly SealedSecret[];
}

export interface SealedSecret {
  readonly version: number;
  readonly sealed: Buffer;
}

export interface ClientSecrets {
  readonly clientSecret: string;
  readonly signingSecret: string;
}

const SECRET_BYTES = 32;
const CLIENT_ID_BYTES = 9;

/** Two secrets of 256 random bits, in base64url (D18). */
export function makeClientSecrets(): ClientSecrets {
  return {
    clientSecret: randomBytes(SECRET_BYTES).toString('base64url'),
    signingSecret: randomBytes(SECRET_BYTES).toString('base64url'),
  };
}

/** The form of ids that `makeClientId` returns. */
export const CLIENT_ID_PATTERN = /^ppai-[0-9a-f]{18}$/;

export function makeClientId(): string {
  return `ppai-${randomBytes(CLIENT_ID_BYTES).toString('hex')}`;
}

/** The stored form of a client secret (D18): HMAC-SHA256 with the pepper as its key. */
export function hashClientSecret(clientSecret: string, pepper: Pepper): Buffer {
  return createHmac('sha256', pepper.key).update(clientSecret, 'utf8').digest();
}

export interface MatchedSecret {
  /** The stored hash. */
  readonly hash: Uint8Array;
  readonly pepper: Pepper;
}

/**
 * The stored hash that matches the secret, and its pepper; undefined when none matches. Takes equally long for every
 * outcome.
 */
export function matchClientSecret(
  clientSecret: string,
  hashes: readonly Uint8Array[],
  peppers: readonly Pepper[],
): MatchedSecret | undefined {
  const candidates = hashes.length === 0 ? [randomBytes(SECRET_BYTES)] : hashes;
  let matched: MatchedSecret | undefined;
  for (const pepper of peppers) {
    const given = hashClientSecret(clientSecret, pepper);
    for (const hash of candidates) {
      if (hash.length === given.length && timingSafeEqual(given, hash)) matched = { hash, pepper };
    }
  }
  return matched;
}

/**
 * Hashes a presented secret again with the newest pepper. The secret is known only now, and the old pepper can be retired
 * later.
 */
export async function rehashClientSecret(
  db: Db,
  apiClientId: string,
  clientSecret: string,
  { matched, pepper }: { readonly matched: MatchedSecret; readonly pepper: Pepper },
): Promise<void> {
  await db.clientSecret.updateMany({
    where: { apiClientId, kind: 'CLIENT_SECRET', protected: new Uint8Array(matched.hash) },
    data: {
      protected: new Uint8Array(hashClientSecret(clientSecret, pepper)),
      pepperId: pepper.id,
    },
  });
}

/** Seals with client and version as associated data (D18). */
export function sealSigningSecret(
  keyring: Keyring,
  clientId: string,
  version: number,
  signingSecret: string,
): Buffer {
  return keyring.seal(signingSecret, `${clientId}/${version}`);
}

export function openSigningSecret(
  keyring: Keyring,
  clientId: string,
  { version, sealed }: SealedSecret,
): string {
  return keyring.open(sealed, `${clientId}/${version}`).toString('utf8');
}

export interface NewClient {
  readonly clientId: string;
  readonly name: string;
  readonly organizationId: string;
  readonly status: ClientStatus;
  readonly scopes: readonly Scope[];
  readonly ipAllowlist: readonly string[];
  readonly rateLimitPerMinute: number;
}

export interface SecretKeys {
  readonly keyring: Keyring;
  /** The newest pepper, which hashes new secrets. */
  readonly pepper: Pepper;
}

/** Creates a client with the first version of both secrets. Returns the row's uuid. */
export async function createClient(
  tx: Tx,
  client: NewClient,
  secrets: ClientSecrets,
  keys: SecretKeys,
): Promise<string> {
  const { id } = await tx.apiClient.create({
    data: { ...client, scopes: [...client.scopes], ipAllowlist: [...client.ipAllowlist] },
    select: { id: true },
  });
  await addSecrets(tx, { apiClientId: id, clientId: client.clientId, version: 1 }, secrets, keys);
  return id;
}

/**
 * Adds a new version of the given secrets. Earlier secrets of these kinds stay valid until `overlapUntil`, or until their own
 * expiry if that is earlier. Returns the new version.
 */
export async function rotateClientSecrets(
  tx: Tx,
  client: { readonly apiClientId: string; readonly clientId: string; readonly overlapUntil: Date },
  secrets: Partial<ClientSecrets>,
  keys: SecretKeys,
): Promise<number> {
  const { apiClientId, clientId, overlapUntil } = client;
  // Locks the client's row: two concurrent rotations must not choose the same version.
  await lockRow(tx, 'api_clients', apiClientId);
  const { _max } = await tx.clientSecret.aggregate({
    where: { apiClientId },
    _max: { version: true },
  });
  await tx.clientSecret.updateMany({
    where: {
      apiClientId,
      kind: { in: kindsOf(secrets) },
      OR: [{ expiresAt: null }, { expiresAt: { gt: overlapUntil } }],
    },
    data: { expiresAt: overlapUntil },
  });
  const version = (_max.version ?? 0) + 1;
  await addSecrets(tx, { apiClientId, clientId, version }, secrets, keys);
  return version;
}

function kindsOf({ clientSecret, signingSecret }: Partial<ClientSecrets>): SecretKind[] {
  return [
    ...(clientSecret === undefined ? [] : (['CLIENT_SECRET'] as const)),
    ...(signingSecret === undefined ? [] : (['SIGNING_SECRET'] as const)),
  ];
}

async function addSecrets(
  tx: Tx,
  { apiClientId, clientId, version }: { apiClientId: string; clientId: string; version: number },
  { clientSecret, signingSecret }: Partial<ClientSecrets>,
  { keyring, pepper }: SecretKeys,
): Promise<void> {
  const rows: { kind: SecretKind; value: Buffer; pepperId?: string }[] = [];
  if (clientSecret !== undefined) {
    const value = hashClientSecret(clientSecret, pepper);
    rows.push({ kind: 'CLIENT_SECRET', value, pepperId: pepper.id });
  }
  if (signingSecret !== undefined) {
    const value = sealSigningSecret(keyring, clientId, version, signingSecret);
    rows.push({ kind: 'SIGNING_SECRET', value });
  }
  await tx.clientSecret.createMany({
    data: rows.map(({ kind, value, pepperId = null }) => ({
      apiClientId,
      kind,
      version,
      pepperId,
      protected: new Uint8Array(value),
    })),
  });
}

export interface TokenApplicant extends ApiClientRow {
  /** Incremented by each change of the client or its secrets, and by each revocation of its tokens. */
  readonly clientVersion: number;
}

/** The client and the hashes of its client secrets that are valid now. Undefined when no client has this id. */
export async function findClientForToken(
  db: Db,
  clientId: string,
  now: Date,
): Promise<{ client: TokenApplicant; secretHashes: Uint8Array[] } | undefined> {
  const rows = await db.$queryRaw<(TokenApplicant & { protected: Uint8Array | null })[]>`
    SELECT c.id::text AS "apiClientId", c.client_id AS "clientId", c.name AS "clientName", c.status AS "clientStatus",
      c.scopes, c.ip_allowlist AS "ipAllowlist", c.rate_limit_per_minute AS "rateLimitPerMinute",
      c.version AS "clientVersion", s.protected
    FROM api_clients c
    LEFT JOIN client_secrets s ON s.api_client_id = c.id AND s.kind = 'CLIENT_SECRET'
      AND (s.expires_at IS NULL OR s.expires_at > ${now}::timestamptz)
    WHERE c.client_id = ${clientId}`;
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    client: first,
    secretHashes: rows.flatMap((row) => (row.protected === null ? [] : [row.protected])),
  };
}

type TokenHolderRow = Omit<TokenHolder, 'signingSecrets'> & {
  tokenHash: string;
  version: number | null;
  protected: Uint8Array | null;
};

/**
 * The holders of tokens, by the token's hash in hexadecimal; unknown and expired tokens are missing. One query reads
 * everything and nothing is cached, so that a suspension or revocation takes effect at once (D18).
 */
export async function findTokenHolders(
  db: Db,
  tokenHashes: ReadonlySet<string>,
  now: Date,
): Promise<Map<string, TokenHolder>> {
  const rows = await db.$queryRaw<TokenHolderRow[]>`
    SELECT asked.hex AS "tokenHash", c.id::text AS "apiClientId", c.client_id AS "clientId", c.name AS "clientName", c.status AS "clientStatus",
      c.scopes, c.ip_allowlist AS "ipAllowlist", c.rate_limit_per_minute AS "rateLimitPerMinute",
      o.id::text AS "organizationId", o.code AS "organizationCode", o.type AS "organizationType", o.status AS "organizationStatus",
      t.scopes AS "tokenScopes", s.version, s.protected
    FROM unnest(${[...tokenHashes]}::text[]) AS asked (hex)
    JOIN access_tokens t ON t.token_hash = decode(asked.hex, 'hex')
    JOIN api_clients c ON c.id = t.api_client_id
    JOIN organizations o ON o.id = c.organization_id
    LEFT JOIN client_secrets s ON s.api_client_id = c.id AND s.kind = 'SIGNING_SECRET'
      AND (s.expires_at IS NULL OR s.expires_at > ${now}::timestamptz)
    WHERE t.expires_at > ${now}::timestamptz
    ORDER BY s.version DESC`;
  const holders = new Map<string, TokenHolder>();
  for (const [hash, ofToken] of groupBy(rows, ({ tokenHash }) => tokenHash)) {
    const [first] = ofToken;
    if (first !== undefined) holders.set(hash, holderOf(first, ofToken));
  }
  return holders;
}

function holderOf(first: TokenHolderRow, rows: readonly TokenHolderRow[]): TokenHolder {
  return {
    ...first,
    tokenScopes: first.tokenScopes.filter((scope) => first.scopes.includes(scope)),
    signingSecrets: rows.flatMap(({ version, protected: sealed }) =>
      version === null || sealed === null ? [] : [{ version, sealed: Buffer.from(sealed) }],
    ),
  };
}
