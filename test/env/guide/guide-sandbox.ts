import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ProjectCopy } from './project-copy.ts';

/** The address that documents show. */
export const SHOWN_URL = 'http://127.0.0.1:3000';

export interface GuideSandbox {
  readonly url: string;
  /** What the terminal shows once the sandbox is up, with the address of the documents. */
  readonly printed: string;
  stop(): Promise<void>;
}

/** Runs the commands that start a sandbox in a terminal of its own, on a free port. */
export async function startGuideSandbox(
  { folder, env }: ProjectCopy,
  commands: string,
): Promise<GuideSandbox> {
  // In a process group of its own, like the foreground job of a terminal.
  const child = spawn('sh', ['-c', commands], {
    cwd: folder,
    env: { ...env, PORT: '0', WORKERS: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const closed = once(child, 'close');
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr]) {
      output.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        const end = /Stop +Ctrl-C/.exec(printed);
        if (end === null) return;
        // Log lines of the processes may follow.
        printed = printed.slice(0, end.index + end[0].length);
        resolve();
      });
    }
    child.on('close', () => reject(new Error(`The sandbox did not start:\n${printed}`)));
  });
  const [, url = ''] = /API +(http:\/\/[^/]+)/.exec(printed) ?? [];
  return {
    url,
    printed: printed.replaceAll(url, SHOWN_URL),
    async stop() {
      // Ctrl-C reaches every process of the group.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
      await closed;
    },
  };
}
