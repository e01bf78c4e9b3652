import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TIMEOUT_MS } from '../../../env/server-timeouts.ts';
import { type StartedCommand, startCommand } from '../../../env/servers/started-command.ts';

jest.setTimeout(6 * TIMEOUT_MS);

let folder: string;
let running: StartedCommand[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'demo-'));
  chmodSync(folder, 0o755);
  running = [];
});
afterEach(async () => {
  for (const { process } of running) process.kill('SIGTERM');
  await Promise.all(running.map(({ exited }) => exited));
  const cluster = join(folder, 'postgres');
  if (existsSync(cluster)) rmSync(realpathSync(cluster), { recursive: true });
  rmSync(folder, { recursive: true });
});

function demonstrate(...options: string[]): StartedCommand {
  const started = startCommand(['ops/demo.ts', ...options], folder);
  running.push(started);
  return started;
}

describe('npm run demo', () => {
  it('writes the past of an empty registry once, and names the console and its users', async () => {
    const first = demonstrate('--exit');
    expect(await first.exited).toBe(0);
    expect(first.output()).toContain('Writing the history of the last 28 days');
    expect(first.output()).toMatch(/\d{4} earlier transmissions in/);
    expect(first.output()).toContain('Run 1:');

    const second = demonstrate();
    const output = await second.until(/Ctrl-C stops it/);
    expect(output).toContain('Run 2:');
    expect(output).not.toContain('history');
    expect(output).toMatch(
      /http:\S+\/console .*sign in as one of\n +administrator@regulator\.example/,
    );
    expect(output).toContain(`passwords in ${join(folder, 'demo-clients.json')}`);
    second.process.kill('SIGINT');
    expect(await second.exited).toBe(0);
  });
});
