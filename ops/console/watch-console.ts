import { setTimeout as sleep } from 'node:timers/promises';
import { buildConsoleIfChanged } from './build-if-changed.ts';
import { hashSources } from './source-hash.ts';

const LOOK_MS = 500;

/** Builds the console whenever its sources have changed, until the process ends. A build that fails is told and waits for the next change. */
export async function watchConsole(print: (text: string) => void): Promise<never> {
  let built = '';
  for (;;) {
    const hash = hashSources();
    if (hash !== built) {
      built = hash;
      print(await buildAgain());
    }
    await sleep(LOOK_MS);
  }
}

async function buildAgain(): Promise<string> {
  try {
    await buildConsoleIfChanged();
    return 'The console is built. Load the page again.';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
