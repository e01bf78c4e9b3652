import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Shell {
  /** Runs commands and returns what they print on both outputs. Throws when one of them fails. */
  run(commands: string): Promise<string>;
  end(): Promise<void>;
}

const END_OF_COMMANDS = '--- end of the commands ---';

/** A shell that keeps variables and functions from one snippet to the next, as a reader's terminal does. */
export function startShell(
  program: 'sh' | 'bash',
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Shell {
  const child = spawn(program, [], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let printed = '';
  let ended = false;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      tell();
    });
  }
  child.on('close', () => {
    ended = true;
    tell();
  });
  // A shell that has ended is reported by `run`.
  child.stdin.on('error', () => undefined);
  child.stdin.write('set -e\n');

  return {
    run: (commands) =>
      new Promise((resolve, reject) => {
        printed = '';
        const look = () => {
          const [before, after] = printed.split(END_OF_COMMANDS);
          if (after === undefined && !ended) return;
          listeners.delete(look);
          if (after === undefined) reject(new Error(`A command failed:\n${commands}\n${printed}`));
          else resolve(before ?? '');
        };
        listeners.add(look);
        child.stdin.write(`{\n${commands}\n} < /dev/null 2>&1\nprintf '%s' '${END_OF_COMMANDS}'\n`);
        look();
      }),
    async end() {
      child.stdin.end();
      await closed;
    },
  };
}
