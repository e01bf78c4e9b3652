import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { clientEnvironment } from '../env/client-environment.ts';
import type { Language } from './languages.ts';

/** A client of one language, used through its driver. */
export interface DrivenClient {
  /** The signatures of the cases of a file of test vectors, in their order. */
  sign(vectorsFile: string): Promise<string[]>;
  /** Starts a process with one client object. The caller must end the session. */
  open(registry: RegistryAccess): Session;
}

export interface RegistryAccess {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
}

export interface Session {
  /** `transmit FILE…` prints two answers per file: to the submission and at its outcome. `send METHOD TARGET [FILE]` prints one. */
  ask(command: 'transmit' | 'send' | 'changes', ...args: string[]): Promise<DriverAnswer[]>;
  end(): Promise<void>;
}

/** A line of a driver: an answer of the registry. */
export interface DriverAnswer {
  /** 0 when there was no answer in the envelope. */
  readonly status: number;
  /** `error.code`, or undefined. */
  readonly code: string | undefined;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** A driver prints this line after its answers to a command. */
const END_OF_ANSWERS = '.';
const TIMEOUT_MS = 300_000;

/** Builds the client, if its language needs that. `folder` is empty and belongs to this client. */
export function makeDrivenClient(language: Language, folder: string): DrivenClient {
  if (language.build !== undefined) {
    const [program = '', ...args] = language.build(folder);
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}${stdout}`);
  }
  return {
    async sign(vectorsFile) {
      const driver = startDriver(language.command(folder), {});
      const signatures = await driver.ask(['sign', vectorsFile]);
      await driver.end();
      return signatures;
    },
    open(registry) {
      const driver = startDriver(
        language.command(folder),
        clientEnvironment(registry.url, registry),
      );
      return {
        ask: async (...command) => (await driver.ask(command)).map(parseAnswer),
        end: driver.end,
      };
    },
  };
}

function startDriver([program = '', ...args]: readonly string[], environment: NodeJS.ProcessEnv) {
  const child = spawn(program, args, {
    env: { ...process.env, ...environment },
    timeout: TIMEOUT_MS,
  });
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  // The end of a process that no longer reads is reported by `ask`.
  child.stdin.on('error', () => undefined);

  return {
    async ask(command: readonly string[]): Promise<string[]> {
      child.stdin.write(`${command.join('\t')}\n`);
      const answers: string[] = [];
      for (;;) {
        const { done, value } = await lines.next();
        if (done) throw new Error(`the driver ended after ${command.join(' ')}: ${errors}`);
        if (value === END_OF_ANSWERS) return answers;
        answers.push(value);
      }
    },
    async end(): Promise<void> {
      child.stdin.end();
      await closed;
      if (errors !== '') throw new Error(`the driver wrote to standard error: ${errors}`);
    },
  };
}

function parseAnswer(line: string): DriverAnswer {
  const [status = '', code = '', data = 'null'] = line.split('\t');
  return {
    status: Number(status),
    code: code === '-' ? undefined : code,
    data: JSON.parse(data) as DriverAnswer['data'],
  };
}
