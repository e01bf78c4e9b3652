import { setTimeout as sleep } from 'node:timers/promises';
import { makeRandom } from '../random.ts';
import { genuineRequest } from './forge.ts';
import {
  type AbuseTarget,
  type Call,
  inParallel,
  makeSender,
  type Reply,
  signCall,
} from './target.ts';

export interface Replayed {
  readonly problems: readonly string[];
  readonly refusals: ReadonlyMap<string, number>;
  readonly replays: number;
}

export interface ReplayOptions {
  readonly seed: number;
  /** Number of replays, in addition to the genuine requests. */
  readonly count: number;
  /** Every API process of the registry. */
  readonly baseUrls: readonly string[];
  /** Each deletes the stored nonces in some way. They are called between two rounds of replays. */
  readonly losses: readonly (() => Promise<void>)[];
}

const AT_ONCE = 12;
const ANSWERED_MS_MAX = 20_000;
const BETWEEN_TRIES_MS = 200;
const AT_THE_SAME_MOMENT = 5;
const REFUSED = new Set(['NONCE_REUSED', 'TIMESTAMP_OUT_OF_RANGE']);
/** Deviations of client clocks that the registry accepts. A loss of nonces may follow at any time. */
const AHEAD_SECONDS = [0, 0, 0, -290, -100, -5, 5, 100, 200, 290];

/**
 * Sends each genuine request several times at the same moment, to any API process, and all of them again after each loss.
 * Of the first copies exactly one may be accepted, or none if the request was signed before a loss; later ones never.
 */
export async function replay(target: AbuseTarget, options: ReplayOptions): Promise<Replayed> {
  const { seed, count, baseUrls, losses } = options;
  const sender = makeSender(target);
  const problems: string[] = [];
  const refusals = new Map<string, number>();
  const calls: Call[] = [];
  let replays = 0;
  const note = (reply: Reply): void => {
    const code = codeOf(reply);
    refusals.set(code, (refusals.get(code) ?? 0) + 1);
  };
  try {
    const volleys = 2 + losses.length;
    const originals = Math.ceil(count / (AT_THE_SAME_MOMENT - 1 + volleys - 1));
    await inParallel(originals, AT_ONCE, async (index) => {
      const random = makeRandom(seed * 1_000_037 + index);
      const aheadSeconds = random.pick(AHEAD_SECONDS);
      const call = await signCall(target, 'alpha', { ...genuineRequest(random), aheadSeconds });
      calls.push(call);
      const replies = await Promise.all(
        Array.from({ length: AT_THE_SAME_MOMENT }, () => sender.send(call, random.pick(baseUrls))),
      );
      for (const reply of replies) if (!isAccepted(reply)) note(reply);
      replays += AT_THE_SAME_MOMENT - 1;
      const accepted = replies.filter(isAccepted).length;
      // If nonces were lost after the request was signed, even its first copy is refused.
      const isStale = replies.every((reply) => codeOf(reply) === 'TIMESTAMP_OUT_OF_RANGE');
      if (accepted !== 1 && !isStale)
        problems.push(`${seed}/${index}: ${accepted} of them were accepted`);
      const others = replies.filter((reply) => !isAccepted(reply) && !isRefused(reply));
      problems.push(...others.map(({ status, text }) => `${seed}/${index}: ${status} ${text}`));
    });
    for (const lose of [async () => undefined, ...losses]) {
      await lose();
      await inParallel(calls.length, AT_ONCE, async (index) => {
        const random = makeRandom(seed + index);
        const call = calls[index];
        if (call === undefined) return;
        const reply = await untilAnswered(() => sender.send(call, random.pick(baseUrls)));
        replays += 1;
        note(reply);
        if (!isRefused(reply))
          problems.push(`${seed}/${index} later: ${reply.status} ${reply.text}`);
      });
    }
  } finally {
    sender.close();
  }
  return { problems, refusals, replays };
}

/** Retries while the nonce store is unavailable, because then no request is accepted or refused. */
async function untilAnswered(send: () => Promise<Reply>): Promise<Reply> {
  const endsAt = Date.now() + ANSWERED_MS_MAX;
  for (;;) {
    const reply = await send();
    if (reply.status < 500 || Date.now() > endsAt) return reply;
    await sleep(BETWEEN_TRIES_MS);
  }
}

function isAccepted({ status }: Reply): boolean {
  return status >= 200 && status < 300;
}

function isRefused(reply: Reply): boolean {
  return reply.status === 401 && REFUSED.has(codeOf(reply));
}

function codeOf({ status, envelope }: Reply): string {
  return envelope?.error?.code ?? String(status);
}
