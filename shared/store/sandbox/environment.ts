import { type Db, openDb } from '../../db/prisma.ts';
import type { Config } from '../../platform/config/config.ts';

/** The database belongs to the other environment (D40). */
export class EnvironmentMismatch extends Error {
  override readonly name = 'EnvironmentMismatch';
}

type Environment = Config['registryEnvironment'];

/** Calls {@link requireEnvironment} with a connection of its own. */
export async function requireEnvironmentOf(
  config: Pick<Config, 'registryEnvironment'> & { readonly databaseUrl: string },
): Promise<void> {
  const db = openDb({
    databaseUrl: config.databaseUrl,
    poolMax: 1,
    applicationName: 'environment check',
  });
  try {
    await requireEnvironment(db, config.registryEnvironment);
  } finally {
    await db.$disconnect();
  }
}

/**
 * Sandbox and production never share a database: the first process decides which of them it belongs to (D40).
 * @throws {EnvironmentMismatch}
 */
export async function requireEnvironment(db: Db, configured: Environment): Promise<void> {
  await db.registryEnvironment.createMany({
    data: [{ environment: configured }],
    skipDuplicates: true,
  });
  const { environment } = await db.registryEnvironment.findFirstOrThrow();
  if (environment === configured) return;
  throw new EnvironmentMismatch(
    `REGISTRY_ENVIRONMENT is ${configured}, and this database belongs to ${environment}: correct the variable, or use another database (DATABASE_URL, or DATA_DIR for the embedded one) with keys of its own.`,
  );
}
