import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError, readConfig } from '../shared/platform/config.ts';
import { makeLifecycle } from '../shared/platform/lifecycle.ts';
import { makeLogger } from '../shared/platform/logger.ts';
import { startSystem } from './system.ts';

/** npm start: runs the whole registry until Ctrl-C. */
async function start(): Promise<void> {
  const config = readConfig(process.env);
  const logger = makeLogger({ level: config.logLevel, name: 'system' });
  const lifecycle = makeLifecycle({
    logger,
    graceSeconds: config.shutdownGraceSeconds,
    supervised: false,
  });
  try {
    const { url } = await startSystem({ environment: process.env, logger, lifecycle });
    if (!lifecycle.isShuttingDown) process.stdout.write(describe(url, config.dataDir));
  } catch (error) {
    if (lifecycle.isShuttingDown) return;
    process.stderr.write(`\n${messageOf(error)}\n\n`);
    await lifecycle.shutdown('start failed', 1);
  }
}

function describe(url: string, dataDir: string): string {
  const clients = join(resolve(dataDir), 'demo-clients.json');
  const lines = [
    '',
    'The registry is up.',
    `  API           ${url}/api/v1`,
    `  Reference     ${url}/api/v1/docs`,
    ...(existsSync(clients) ? [`  Demo clients  ${clients}`] : []),
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
