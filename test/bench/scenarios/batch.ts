import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { clientEnvironment } from '../../env/client-environment.ts';
import { makeRunFolder, removeRunFolder } from '../../env/run-folder.ts';
import { type Bench, type Scenario, type Subject, withRegistry } from '../bench.ts';
import { makeCertificate } from '../load/certificates.ts';
import type { Tenant } from '../load/tenants.ts';
import { BATCH } from '../report/measurement.ts';
import { countRegistered, type Registry, tenantOf } from '../system/build.ts';
import { observe } from '../system/usage.ts';

const CERTIFICATES = 20_000;
const WARM_UP = 5_000;
/** As docs/batch.md recommends. */
const CLIENT_OPTIONS = ['--max-old-space-size=1024'];

/**
 * Certificates registered per second by `registry batch send --async`, from the start of the program to its end, when it knows
 * every outcome (D42). API and worker are warm.
 */
export const batch: Scenario = async (bench) => {
  for (let round = 1; round <= bench.rounds; round += 1)
    for (const subject of bench.subjects)
      await withRegistry(bench, subject, async (registry) => {
        const measured = await measureBatch(bench, subject, registry);
        bench.record({ scenario: BATCH, subject: subject.name, round, ...measured });
      });
};

async function measureBatch({ scale }: Bench, { build }: Subject, registry: Registry) {
  const { database, url, watched } = registry;
  const tenant = tenantOf(database, 0);
  const program = join(build.folder, 'client', 'main.js');
  const folder = makeRunFolder();
  const prepare = async (name: string, certificates: number) => {
    const file = join(folder, name);
    const count = Math.ceil(certificates * scale);
    await writeCertificates(file, count, tenant);
    return { count, send: () => sendBatch(program, file, url, tenant) };
  };
  try {
    const warmUp = await prepare('warm-up.ndjson', WARM_UP);
    const measured = await prepare('measured.ndjson', CERTIFICATES);
    await warmUp.send();
    const { elapsedMs, cpuMs, ...others } = await observe(watched, measured.send());
    const registered = await countRegistered(database.url);
    const sent = warmUp.count + measured.count;
    const faults = registered === sent ? [] : [`${sent} sent, ${registered} registered`];
    const perSecond = (measured.count * 1_000) / elapsedMs;
    return { figures: { perSecond, cpuMsPerItem: cpuMs / measured.count, ...others }, faults };
  } finally {
    removeRunFolder(folder);
  }
}

async function writeCertificates(file: string, count: number, tenant: Tenant): Promise<void> {
  const lines = function* (): Generator<string> {
    for (let written = 0; written < count; written += 1)
      yield `${JSON.stringify(makeCertificate(tenant.organizationCode, 1))}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(file));
}

/** Throws unless every certificate was accepted. What the program shows is written and dropped. */
async function sendBatch(
  program: string,
  file: string,
  url: string,
  tenant: Tenant,
): Promise<void> {
  const child = spawn(
    process.execPath,
    [...CLIENT_OPTIONS, program, 'batch', 'send', file, '--async'],
    {
      env: { PATH: process.env['PATH'], ...clientEnvironment(url, tenant) },
      stdio: 'ignore',
    },
  );
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the batch ended with exit code ${code}`);
}
