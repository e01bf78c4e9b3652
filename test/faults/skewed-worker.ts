import { demandServiceConfig, readConfig } from '../../shared/platform/config.ts';
import { makeLogger } from '../../shared/platform/logger.ts';
import { makeMetrics } from '../../shared/platform/metrics.ts';
import { reportReady } from '../../shared/platform/supervised.ts';
import { startWorker } from '../../worker/start-worker.ts';

// A worker whose clock is wrong by SKEW_SECONDS.
async function main(): Promise<void> {
  const config = demandServiceConfig(readConfig(process.env));
  const skewMs = Number(process.env['SKEW_SECONDS']) * 1_000;
  const worker = await startWorker({
    config,
    clock: { now: () => new Date(Date.now() + skewMs) },
    logger: makeLogger({ level: config.logLevel, name: 'worker' }),
    metrics: makeMetrics(),
  });
  process.once('SIGTERM', () => void worker.close().then(() => process.exit(0)));
  process.once('disconnect', () => process.exit(1));
  reportReady();
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
