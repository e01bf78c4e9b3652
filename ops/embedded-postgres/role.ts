import { withClient } from '../../shared/db/with-client.ts';
import { makeServerPassword, ownerUrlOf, SERVICE_ROLE, type ServerFile } from './server-file.ts';

/** Creates the service's role or corrects it. A server of an earlier release has no such role. */
export async function withServiceRole(server: ServerFile): Promise<ServerFile> {
  const { servicePassword = makeServerPassword() } = server;
  await withClient(ownerUrlOf(server, 'postgres'), 'embedded', async (client) => {
    const known = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [SERVICE_ROLE]);
    const verb = known.rowCount === 1 ? 'ALTER' : 'CREATE';
    const password = client.escapeLiteral(servicePassword);
    await client.query(
      `${verb} ROLE ${SERVICE_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${password}`,
    );
  });
  return { ...server, servicePassword };
}
