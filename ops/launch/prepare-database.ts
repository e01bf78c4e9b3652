import { applyMigrations } from '../../shared/db/migrate.ts';
import { grantToService } from '../../shared/db/service-role.ts';
import { applyQueueMigrations } from '../../shared/queue/migrate.ts';

/**
 * Brings a database to this release as its owner, the registry's tables and the queue's, and grants the service's role what it
 * needs. Processes that come together wait for one another. Returns the names of the migrations applied now.
 */
export async function prepareDatabase({
  ownerUrl,
  databaseUrl,
}: {
  readonly ownerUrl: string;
  /** The service's. */
  readonly databaseUrl: string;
}): Promise<string[]> {
  const applied = await applyMigrations(ownerUrl);
  await applyQueueMigrations(ownerUrl);
  await grantToService(ownerUrl, databaseUrl);
  return applied;
}
