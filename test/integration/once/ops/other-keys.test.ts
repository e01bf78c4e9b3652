import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { findProjectRoot } from '../../../../shared/platform/project-root.ts';
import { makeSeededDatabase } from '../../../env/servers/postgres.ts';

/** Runs a process against a database that was seeded under other keys. */
async function start(module: string): Promise<{ code: number | null; said: string }> {
  const database = await makeSeededDatabase();
  try {
    const child = spawn(process.execPath, ['--import', 'tsx', module], {
      cwd: findProjectRoot(),
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'test',
        LOG_LEVEL: 'fatal',
        PORT: '0',
        DATABASE_URL: database.url,
        ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
        CLIENT_SECRET_PEPPER: randomBytes(32).toString('base64'),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const code = await new Promise<number | null>((done) => child.on('close', done));
    return { code, said };
  } finally {
    await database.drop();
  }
}

it.each(['worker/main.ts', 'api/main.ts'])(
  '%s says that its keys are not those of the database and does not start',
  async (module) => {
    const { code, said } = await start(module);
    expect({ code, said }).toEqual({
      code: 1,
      said: expect.stringMatching(/ENCRYPTION_KEYS lacks the key.*CLIENT_SECRET_PEPPER lacks/s),
    });
  },
);
