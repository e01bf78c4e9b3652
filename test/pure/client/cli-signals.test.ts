import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../client/cli.ts';
import { BODY_EXAMPLES } from '../../../shared/contract/openapi/body-examples.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { clientEnvironment } from '../../env/client-environment.ts';
import { makeFakeFeed } from './fake-feed.ts';
import { CREDENTIALS, type FakeRegistry, startFakeRegistry } from './fake-registry.ts';

let folder: string;
let registry: FakeRegistry;
let feed: ReturnType<typeof makeFakeFeed>;
/** Accepts connections and never answers. */
let silent: Server;
let silenced: Socket[];
let onTransmission: () => void = () => undefined;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cli-signals-'));
  feed = makeFakeFeed();
  silenced = [];
  silent = createServer((socket) => silenced.push(socket));
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
  for (const socket of silenced) socket.destroy();
  silent.close();
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

it.each(['limits', 'search', 'batch'])(
  'an interruption ends %s while the registry does not answer',
  async (command) => {
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const file = join(folder, 'one.ndjson');
    writeFileSync(file, JSON.stringify({ externalTransactionId: 'interrupted-1' }));
    const interruption = new AbortController();
    const messages: string[] = [];
    const ended = runCli(command === 'batch' ? [command, file] : [command], {
      environment: clientEnvironment(
        `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
        CREDENTIALS,
      ),
      console: { data: () => undefined, message: (text) => messages.push(text) },
      readInput: () => Buffer.alloc(0),
      signal: interruption.signal,
    });
    await once(silent, 'connection');
    interruption.abort();
    expect(await ended).toBe(130);
    expect(messages.at(-1)).toBe('Interrupted.');
  },
);
