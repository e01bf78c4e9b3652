import type { Db, Tx } from '../../db/prisma.ts';
import { KEY_CHECK_LOCK, type KeyPurpose } from './key-checks.ts';

/** The hashes that still need an older pepper. A hash moves to the newest pepper only when its owner presents the secret. */
export interface PepperUse {
  readonly pepperId: string;
  /** Clients with valid secrets under it. The next token request of a client hashes its secret again. */
  readonly clientIds: readonly string[];
  /** E-mail addresses of staff with unused recovery codes under it. Replacing the codes solves it. */
  readonly users: readonly string[];
}

/** Retires every older encryption key that seals no value any more. Returns their ids. */
export async function retireEncryptionKeys(
  db: Db,
  { activeKeyId, left }: { activeKeyId: string; left: Readonly<Record<string, number>> },
): Promise<string[]> {
  return retire(db, 'ENCRYPTION', [activeKeyId, ...Object.keys(left)]);
}

/** Retires every older pepper that no hash needs any more. Returns their ids, and what still needs the other ones. */
export async function retirePeppers(
  db: Db,
  activePepperId: string,
  now: Date,
): Promise<{ retired: string[]; needed: PepperUse[] }> {
  const needed = await findPepperUse(db, activePepperId, now);
  const retired = await retire(db, 'PEPPER', [
    activePepperId,
    ...needed.map(({ pepperId }) => pepperId),
  ]);
  return { retired, needed };
}

function retire(db: Db, purpose: KeyPurpose, needed: readonly string[]): Promise<string[]> {
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${KEY_CHECK_LOCK}))`;
    const rows = await tx.keyCheck.updateManyAndReturn({
      where: { purpose, keyId: { notIn: [...needed] }, retiredAt: null },
      data: { retiredAt: new Date() },
      select: { keyId: true },
    });
    return rows.map(({ keyId }) => keyId);
  });
}

async function findPepperUse(tx: Tx, activePepperId: string, now: Date): Promise<PepperUse[]> {
  return tx.$queryRaw<PepperUse[]>`
    WITH oldest AS (
      SELECT key_id FROM key_checks WHERE purpose = 'PEPPER' ORDER BY first_used_at LIMIT 1),
    used AS (
      SELECT coalesce(s.pepper_id, oldest.key_id) AS pepper_id, c.client_id, NULL AS email
      FROM oldest, client_secrets s JOIN api_clients c ON c.id = s.api_client_id
      WHERE s.kind = 'CLIENT_SECRET' AND (s.expires_at IS NULL OR s.expires_at > ${now}::timestamptz)
      UNION ALL
      SELECT coalesce(r.pepper_id, oldest.key_id), NULL, u.email
      FROM oldest, staff_recovery_codes r JOIN staff_users u ON u.id = r.user_id
      WHERE r.used_at IS NULL)
    SELECT pepper_id AS "pepperId",
      coalesce(array_agg(DISTINCT client_id) FILTER (WHERE client_id IS NOT NULL), '{}') AS "clientIds",
      coalesce(array_agg(DISTINCT email) FILTER (WHERE email IS NOT NULL), '{}') AS users
    FROM used WHERE pepper_id <> ${activePepperId} GROUP BY pepper_id ORDER BY pepper_id`;
}
