import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../ops/embedded-postgres/free-port.ts';
import { findProjectRoot } from '../../shared/platform/project-root.ts';
import { makeRunFolder, removeRunFolder } from '../env/run-folder.ts';
import { makeEmptyDatabase, startTestPostgres } from '../env/servers/postgres.ts';
import { startRedisServer } from '../env/servers/redis.ts';
import { copyBuildContext } from './build-context.ts';
import { type BuiltImage, parseDockerfile, performDockerfile } from './dockerfile.ts';
import { runToEnd, whileServing } from './processes.ts';

const ADMINISTRATOR = 'first@regulator.example';

/**
 * npm run image: performs the Dockerfile in clean folders and runs the result, which holds production dependencies only: the
 * migrations, the operator's commands, an API that checks a password and a worker, in both shapes (D1).
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-image-'));
  const servers = makeRunFolder();
  try {
    const image = build(folder);
    assert(!existsSync(join(image.workingFolder, 'node_modules', 'jest')), 'the image holds jest');
    const postgres = await startTestPostgres(servers);
    const redis = await startRedisServer(servers);
    try {
      await checkShape(image, {});
      await checkShape(image, { REDIS_URL: redis.url });
    } finally {
      await redis.stop();
      await postgres.stop();
    }
  } finally {
    removeRunFolder(servers);
    rmSync(folder, { recursive: true, force: true });
  }
}

function build(folder: string): BuiltImage {
  const project = findProjectRoot();
  const context = join(folder, 'context');
  mkdirSync(context);
  copyBuildContext(project, context);
  const instructions = parseDockerfile(readFileSync(join(project, 'Dockerfile'), 'utf8'));
  return performDockerfile(instructions, { context, folder: join(folder, 'stages') });
}

async function checkShape(image: BuiltImage, shape: NodeJS.ProcessEnv): Promise<void> {
  const database = await makeEmptyDatabase();
  // As in docker-compose.yml: migrations run as the owner and make the role that the service runs as.
  const serviceUrl = new URL(database.ownerUrl);
  serviceUrl.username = `registry_${shape['REDIS_URL'] === undefined ? 'embedded' : 'redis'}`;
  serviceUrl.password = randomBytes(16).toString('hex');
  try {
    await checkCommands(image, {
      PATH: process.env['PATH'],
      ...image.environment,
      ...shape,
      HOST: '127.0.0.1',
      DATABASE_URL: serviceUrl.href,
      DATABASE_OWNER_URL: database.ownerUrl,
      ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      CLIENT_SECRET_PEPPER: randomBytes(32).toString('base64'),
    });
  } finally {
    await database.drop();
  }
}

async function checkCommands(image: BuiltImage, env: NodeJS.ProcessEnv): Promise<void> {
  const shape = env['REDIS_URL'] === undefined ? 'embedded' : 'redis';
  const cwd = image.workingFolder;
  const runs = async (...command: string[]): Promise<string> => {
    const { code, output } = await runToEnd(['node', ...command], cwd, env);
    assert.equal(code, 0, `node ${command.join(' ')} ended with ${code}:\n${output}`);
    process.stdout.write(`${shape}: node ${command.join(' ')} works\n`);
    return output;
  };
  await runs('dist/ops/migrate.js');
  const created = await runs(
    'dist/ops/admin.js',
    'create-user',
    '--role',
    'ADMINISTRATOR',
    ADMINISTRATOR,
  );
  await runs('dist/ops/admin.js', 'list-users');
  await runs('dist/ops/admin.js', 'verify-audit');
  await runs('dist/ops/admin.js', 'reseal');
  await runs('dist/ops/secrets.js', '--print');
  await runs('dist/client/main.js', '--help');
  const password = /Password: (\S+)/.exec(created)?.[1] ?? '';

  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  await whileServing(
    {
      command: image.command,
      cwd,
      env: { ...env, PORT: String(port), ADMIN_ALLOWED_ORIGINS: url },
      url: `${url}/health/live`,
    },
    () => signIn(url, password),
  );
  process.stdout.write(`${shape}: ${image.command.join(' ')} serves and checks a password\n`);

  const healthPort = await findFreePort();
  const worker = ['node', 'dist/worker/main.js'];
  await whileServing(
    {
      command: worker,
      cwd,
      env: { ...env, HEALTH_PORT: String(healthPort) },
      url: `http://127.0.0.1:${healthPort}/health/ready`,
    },
    async () => undefined,
  );
  process.stdout.write(`${shape}: ${worker.join(' ')} is ready\n`);
}

/** The password's hash needs a native package, which an image can easily lose. */
async function signIn(url: string, password: string): Promise<void> {
  const answer = await fetch(`${url}/auth/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, 'x-ppai-csrf': '1' },
    body: JSON.stringify({ email: ADMINISTRATOR, password }),
  });
  assert.equal(answer.status, 200, await answer.text());
}

await main();
