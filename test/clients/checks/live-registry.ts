import { startSandbox } from '../../env/api/sandbox.ts';
import { makeRunFolder, removeRunFolder } from '../../env/run-folder.ts';
import { startTestPostgres } from '../../env/servers/postgres.ts';
import { seedTemplate } from '../../env/servers/seeded-template.ts';
import type { RegistryAccess } from '../driven-client.ts';

export interface LiveRegistry {
  /** The credentials of an insurer with all scopes. */
  readonly access: RegistryAccess;
  stop(): Promise<void>;
}

/** Starts a sandbox on loopback with the demonstration data, in the embedded shape (D1, D40). */
export async function startLiveRegistry(): Promise<LiveRegistry> {
  globalThis.SHAPE = 'embedded';
  const folder = makeRunFolder({ inMemory: true });
  const postgres = await startTestPostgres(folder).catch((error: unknown) => {
    removeRunFolder(folder);
    throw error;
  });
  const stopServers = async (): Promise<void> => {
    await postgres.stop();
    removeRunFolder(folder);
  };
  try {
    await seedTemplate(folder);
    const stack = await startSandbox();
    const { clientId, clientSecret, signingSecret } = stack.client('alpha');
    return {
      access: { url: stack.baseUrl, clientId, clientSecret, signingSecret },
      stop: async () => {
        await stack.stop();
        await stopServers();
      },
    };
  } catch (error) {
    await stopServers();
    throw error;
  }
}
