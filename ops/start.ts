import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError } from '../shared/platform/config/config.ts';
import { makeLifecycle } from '../shared/platform/lifecycle.ts';
import { makeLogger } from '../shared/platform/logger.ts';
import { describeSignIn } from './demo/sign-in.ts';
import { DEMO_CLIENTS_FILE } from './seed.ts';
import { readSystemConfig, type System, startSystem } from './system.ts';

/** npm start: runs the whole registry until Ctrl-C. */
async function start(): Promise<void> {
  const config = readSystemConfig(process.env);
  const logger = makeLogger({ level: config.logLevel, name: 'system' });
  const lifecycle = makeLifecycle({
    logger,
    graceSeconds: config.drainSeconds + config.shutdownGraceSeconds,
    supervised: false,
  });
  try {
    const system = await startSystem({ environment: process.env, logger, lifecycle });
    if (!lifecycle.isShuttingDown) process.stdout.write(describe(system, config.dataDir));
  } catch (error) {
    if (lifecycle.isShuttingDown) return;
    process.stderr.write(`\n${messageOf(error)}\n\n`);
    await lifecycle.shutdown('start failed', 1);
  }
}

function describe({ url, healthUrl }: System, dataDir: string): string {
  const clients = join(resolve(dataDir), DEMO_CLIENTS_FILE);
  const hasDemonstration = existsSync(clients);
  const [users, passwords] = describeSignIn(clients);
  const lines = [
    '',
    'The registry is up.',
    `  API           ${url}/api/v1`,
    `  Reference     ${url}/api/v1/docs`,
    `  Console       ${url}/console`,
    ...(hasDemonstration ? [`  Sign in       ${users}`, `                ${passwords}`] : []),
    ...(healthUrl === undefined ? [] : [`  Health        ${healthUrl}/health/ready`]),
    ...(hasDemonstration ? [`  Credentials   ${clients}`] : []),
    '  Stop          Ctrl-C',
    '',
    '',
  ];
  return lines.join('\n');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

try {
  await start();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
