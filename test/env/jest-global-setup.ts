import { makeRunFolder, removeRunFolder } from './run-folder.ts';
import { startTestPostgres } from './servers/postgres.ts';
import { startTestRedis } from './servers/redis.ts';
import { seedTemplate } from './servers/seeded-template.ts';

declare global {
  var stopTestServers: (() => Promise<void>) | undefined;
}

/** Starts one PostgreSQL and one Redis for the whole run. */
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
