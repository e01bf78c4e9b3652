import { applyMigrations } from '../../shared/db/migrate.ts';
import { grantToService } from '../../shared/db/service-role.ts';
import { applyQueueMigrations } from '../../shared/queue/migrate.ts';

/**
 * Migrates the tables of the registry and of the queue to this release, as their owner, and grants the service's role its
 * privileges. Concurrent processes wait for each other. Returns the names of the migrations that it applied.
 */
export async function prepareDatabase({
  ownerUrl,
  databaseUrl,
}: {
  readonly ownerUrl: string;
  /** The URL with the service's role. */
  readonly databaseUrl: string;
}): Promise<string[]> {
  const applied = await applyMigrations(ownerUrl);
  await applyQueueMigrations(ownerUrl);
  await grantToService(ownerUrl, databaseUrl);
  return applied;
}
