import { setTimeout as sleep } from 'node:timers/promises';
import type { RegistryClient } from '../../../client/registry-client.ts';
import type { ChangesPage } from '../../../shared/contract/machine/changes.ts';
import type { Random } from '../random.ts';
import { answerOf } from '../round-report.ts';

/** A reader of a feed over HTTP. */
export interface Follower {
  /** Reads to the end of the feed and returns the cursors of all changes that were read after `start`. */
  end(): Promise<readonly string[]>;
}

const LIMITS = [1, 7, 50, 500];
const WAIT_SECONDS = 1;
const PAUSE_MS = 100;
const ATTEMPTS_MAX = 600;
const CRASHES_PERCENT = 5;

/**
 * Follows the feed after `start`. Now and then it forgets the last changes and continues after an older one, as a reader that
 * lost them in a crash. What it reads again must be the same. It gives up after `signal`.
 */
export function followFeed(
  client: RegistryClient,
  start: string | undefined,
  options: {
    random: Random;
    onCrash: () => void;
    signal: AbortSignal;
    /** A request that is answered 5xx is made again. */
    allowsServerErrors: boolean;
  },
): Follower {
  const { random, onCrash, signal, allowsServerErrors } = options;
  let isEnding = false;
  const cursors: string[] = [];
  const follow = async (): Promise<void> => {
    let after = start;
    for (;;) {
      const isLast = isEnding;
      const query = { limit: random.pick(LIMITS), ...(after !== undefined && { after }) };
      const waitSeconds = isLast ? 0 : WAIT_SECONDS;
      const page = await readPage(client, query, { waitSeconds, allowsServerErrors });
      signal.throwIfAborted();
      cursors.push(...page.items.map(({ cursor }) => cursor));
      after = page.next;
      if (isLast && page.caughtUp && page.items.length === 0) return;
      if (!isLast && random.percent(CRASHES_PERCENT)) {
        cursors.splice(random.below(cursors.length + 1));
        after = cursors.at(-1) ?? start;
        onCrash();
      }
    }
  };
  const following = follow();
  // The scenario awaits it after the load.
  following.catch(() => undefined);
  return {
    end: async () => {
      isEnding = true;
      await following;
      return cursors;
    },
  };
}

/** The cursors of the feed as far as it can be read now. */
export async function readOldCursors(client: RegistryClient): Promise<readonly string[]> {
  const cursors: string[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await readPage(client, { limit: 500, ...(after !== undefined && { after }) });
    cursors.push(...page.items.map(({ cursor }) => cursor));
    after = page.next;
    if (page.caughtUp) return cursors;
  }
}

/** Reads a page, and tries again when there is no answer. @throws {Error} when the request is refused */
async function readPage(
  client: RegistryClient,
  query: Parameters<RegistryClient['readChanges']>[0],
  { waitSeconds = 0, allowsServerErrors = false } = {},
): Promise<ChangesPage> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await answerOf(() => client.readChanges(query, { waitSeconds }));
    if (outcome?.ok === true) return outcome.data;
    const mayRetry = (status: number) => status === 429 || (allowsServerErrors && status >= 500);
    if (outcome !== undefined && !mayRetry(outcome.status))
      throw new Error(`the feed answered ${outcome.status} ${outcome.error.message}`);
    if (attempt === ATTEMPTS_MAX) throw new Error('the feed does not answer');
    await sleep(PAUSE_MS);
  }
}
