import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '../../../../shared/db/prisma.ts';
import { waitForDatabase } from '../../../../shared/db/wait-for-database.ts';
import { readConfig } from '../../../../shared/platform/config/config.ts';
import { makeEmptyDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

let database: TestDatabase;
let folder: string;
let server: Server;
beforeAll(async () => {
  database = await makeEmptyDatabase();
  folder = mkdtempSync(join(tmpdir(), 'socket-'));
  const { port } = new URL(database.url);
  server = createServer((socket) => {
    const upstream = connect(Number(port), '127.0.0.1');
    for (const end of [socket, upstream]) end.on('error', () => undefined);
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((done) => server.listen(join(folder, `.s.PGSQL.${port}`), done));
});
afterAll(async () => {
  await new Promise((done) => server.close(done));
  await database.drop();
  rmSync(folder, { recursive: true });
});

describe('a database behind a socket', () => {
  it.each([
    [
      'user@/name?host=folder',
      (at: URL) => `${at.username}:${at.password}@${at.pathname}?host=${folder}&port=${at.port}`,
    ],
    [
      'user@%2Ffolder/name',
      (at: URL) =>
        `${at.username}:${at.password}@${encodeURIComponent(folder)}:${at.port}${at.pathname}`,
    ],
  ])('named as %s can be waited for and queried', async (_form, write) => {
    const { databaseUrl = '' } = readConfig({
      DATABASE_URL: `postgresql://${write(new URL(database.url))}`,
    });
    await waitForDatabase(databaseUrl, 5_000);
    const db = openDb({ databaseUrl, poolMax: 1, applicationName: 'test' });
    expect(await db.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
    await db.$disconnect();
  });
});
