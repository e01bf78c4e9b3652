import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BODY_EXAMPLES } from '../../../shared/contract/openapi/body-examples.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { acknowledge, CREDENTIALS, type FakeRegistry, startFakeRegistry } from './fake-registry.ts';

let folder: string;
let registry: FakeRegistry;
let onAsked: () => void = () => undefined;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cli-signals-'));
  registry = await startFakeRegistry({
    answer: () => {
      onAsked();
      return acknowledge(201);
    },
  });
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await registry.close();
});

it.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends a batch after what is under way, with 130, and nothing of it is lost',
  async (signal) => {
    const count = 2_000;
    const file = join(folder, 'batch.ndjson');
    const lines = Array.from({ length: count }, (_, index) =>
      JSON.stringify({
        ...(BODY_EXAMPLES.transmit?.['jeepney'] as object),
        externalTransactionId: `signal-${String(index).padStart(5, '0')}`,
      }),
    );
    writeFileSync(file, lines.join('\n'));
    const asked = new Promise<void>((done) => {
      onAsked = done;
    });
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', 'client/main.ts', 'batch', file, '--concurrency', '1'],
      {
        cwd: findProjectRoot(),
        env: {
          PATH: process.env['PATH'],
          REGISTRY_URL: registry.url,
          REGISTRY_CLIENT_ID: CREDENTIALS.clientId,
          REGISTRY_CLIENT_SECRET: CREDENTIALS.clientSecret,
          REGISTRY_SIGNING_SECRET: CREDENTIALS.signingSecret,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const closed = once(child, 'close');
    await asked;
    child.kill(signal);
    expect(await closed).toEqual([130, null]);
    expect(said).toContain('Interrupted: run it again to go on.');
    const outcomes = readFileSync(`${file}.outcomes.ndjson`, 'utf8').trim().split('\n');
    expect(outcomes.length).toBe(registry.asked.length);
    expect(outcomes.length).toBeLessThan(count);
  },
);
