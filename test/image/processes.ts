import { type ChildProcess, spawn } from 'node:child_process';
import { TIMEOUT_MS } from '../env/server-timeouts.ts';

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a command to its end; `output` is what it wrote on both streams. */
export function runToEnd(
  command: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Ended> {
  const { child, output } = start(command, cwd, env);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: output() }));
  });
}

/** Starts a process, waits until `url` answers 2xx, lets `use` run and tells the process to end, which it must do with code 0. */
export async function whileServing(
  { command, cwd, env, url }: ServingProcess,
  use: () => Promise<void>,
): Promise<void> {
  const { child, output } = start(command, cwd, env);
  const ended = new Promise<number | null>((done) => {
    child.on('close', done);
    child.on('error', () => done(null));
  });
  try {
    await untilOk(url, child, output);
    await use();
  } finally {
    child.kill('SIGTERM');
  }
  const code = await ended;
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output()}`);
}

export interface ServingProcess {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly url: string;
}

function start(command: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => void chunks.push(chunk));
  }
  return { child, output: () => chunks.join('') };
}

async function untilOk(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const endsAt = Date.now() + TIMEOUT_MS;
  while (Date.now() < endsAt && child.exitCode === null) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok === true) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${url} did not answer 2xx:\n${output()}`);
}
