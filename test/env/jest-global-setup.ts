import { startTestPostgres } from './postgres.ts';
import { startTestRedis } from './redis.ts';
import { makeRunFolder, removeRunFolder } from './run-folder.ts';
import { seedTemplate } from './seeded-template.ts';

declare global {
  var stopTestServers: (() => Promise<void>) | undefined;
}

/** One PostgreSQL and one Redis for the whole run. */
export default async function setUp(): Promise<void> {
  const folder = makeRunFolder({ inMemory: true });
  const servers = await Promise.allSettled([startTestPostgres(folder), startTestRedis(folder)]);
  globalThis.stopTestServers = async () => {
    await Promise.all(
      servers.map(async (server) => {
        if (server.status === 'fulfilled') await server.value.stop();
      }),
    );
    removeRunFolder(folder);
  };
  try {
    for (const server of servers) if (server.status === 'rejected') throw server.reason;
    await seedTemplate(folder);
  } catch (error) {
    await globalThis.stopTestServers();
    throw error;
  }
}
