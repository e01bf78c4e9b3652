import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BODY_EXAMPLES } from '../../../shared/contract/openapi/body-examples.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { clientEnvironment } from '../../env/client-environment.ts';
import { makeFakeFeed } from './fake-feed.ts';
import { CREDENTIALS, type FakeRegistry, startFakeRegistry } from './fake-registry.ts';

let folder: string;
let registry: FakeRegistry;
let feed: ReturnType<typeof makeFakeFeed>;
let onTransmission: () => void = () => undefined;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cli-signals-'));
  feed = makeFakeFeed();
  registry = await startFakeRegistry({
    answer: (request) => {
      if (request.target.startsWith('/api/v1/ppai/policies')) onTransmission();
      return feed.answer(request);
    },
  });
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await registry.close();
});

it.each([
  ['SIGINT', '--no-async'],
  ['SIGTERM', '--no-async'],
  ['SIGTERM', '--async'],
] as const)(
  '%s ends a batch with %s after the transmissions in flight, with exit code 130 and without losing one',
  async (signal, mode) => {
    const count = 2_000;
    const file = join(folder, 'batch.ndjson');
    const lines = Array.from({ length: count }, (_, index) =>
      JSON.stringify({
        ...(BODY_EXAMPLES.transmit?.['jeepney'] as object),
        externalTransactionId: `signal-${String(index).padStart(5, '0')}`,
      }),
    );
    writeFileSync(file, lines.join('\n'));
    const firstRequest = new Promise<void>((done) => {
      onTransmission = done;
    });
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', 'client/main.ts', 'batch', file, '--concurrency', '1', mode],
      {
        cwd: findProjectRoot(),
        env: { PATH: process.env['PATH'], ...clientEnvironment(registry.url, CREDENTIALS) },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let messages = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      messages += text;
    });
    const closed = once(child, 'close');
    await firstRequest;
    child.kill(signal);
    expect(await closed).toEqual([130, null]);
    expect(messages).toContain('Interrupted: run the command again to resume the batch.');
    const inJournal = readFileSync(`${file}.journal.ndjson`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === 'sent' || type === 'settled')
      .map(({ id }) => id);
    expect(new Set(inJournal)).toEqual(new Set(feed.received.keys()));
    expect(feed.received.size).toBeLessThan(count);
  },
);
