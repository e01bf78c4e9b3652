import type { Redis } from 'ioredis';
import {
  NONCE_LIFETIME_SECONDS,
  TIMESTAMP_SKEW_SECONDS,
} from '../../../shared/contract/machine/signing.ts';
import type { Db } from '../../../shared/db/prisma.ts';
import { makeBatchLoader } from '../../../shared/platform/batch-loader.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import {
  checkNoncesWritable,
  claimNonceKeeping,
  NONCE_MARGIN_SECONDS,
  type NonceToUse,
  useNoncesInTable,
} from '../../../shared/store/access/nonces.ts';

export type NonceUse = 'fresh' | 'reused' | 'before-epoch';

/**
 * Records the nonces of signed requests (D19). A store has an epoch: the moment since which it has seen every nonce. A store
 * that has lost nonces begins a new epoch, so that requests signed before the loss are refused.
 */
export interface NonceStore {
  /**
   * `reused`: the client sent this nonce before. `before-epoch`: it may have been used before the store lost its
   * nonces. Only `fresh` ones may pass. Throws when the store cannot be reached, so that nothing passes then.
   */
  use(clientId: string, nonce: string, timestampSeconds: number): Promise<NonceUse>;
  /** Rejects while no nonce can be recorded. */
  checkWritable(): Promise<void>;
  /** Begins a new epoch if nonces were lost. It needs no request to notice the loss. */
  noticeLoss(): Promise<void>;
  close(): Promise<void>;
}

export interface NonceStoreOptions {
  readonly db: Db;
  /** If the clocks of two processes differ by more than a second, the guarantee is weaker by that difference. */
  readonly clock: Clock;
  /** Called when a new epoch is seen. */
  readonly onEpoch?: ((epochSeconds: number) => void) | undefined;
}

/** The embedded shape: the table `nonces` is the store. */
export async function makePostgresNonceStore({
  db,
  clock,
  onEpoch,
}: NonceStoreOptions): Promise<NonceStore> {
  await claimNonceKeeping(db, 'postgres', secondsOf(clock));
  return makeStore(
    { db, clock, onEpoch },
    {
      use: async (uses, nowSeconds) => {
        const answers = await useNoncesInTable(db, 'nonces', uses, nowSeconds);
        return answers.map(({ recorded, sinceSeconds }, index): MemoryUse => {
          const isBefore = (uses[index]?.timestampSeconds ?? 0) <= sinceSeconds;
          if (isBefore) return { outcome: 'before-epoch', epochSeconds: sinceSeconds };
          return { outcome: recorded ? 'fresh' : 'reused', epochSeconds: sinceSeconds };
        });
      },
      checkWritable: (nowSeconds) => checkNoncesWritable(db, 'nonces', nowSeconds),
      // A table loses no rows by itself.
      readEpoch: async () => undefined,
    },
  );
}

export interface RedisNonceStoreOptions extends NonceStoreOptions {
  readonly redis: Redis;
  readonly keyPrefix: string;
}

/**
 * With Redis the nonces are there, and one script decides. A new epoch begins when the epoch is missing (Redis was
 * emptied), when Redis was restarted (it may have loaded an older copy of its data), or when it has evicted any keys since
 * the last check (D61). Each use checks within its script, and Redis evicts no key while a script runs, so no nonce passes
 * between an eviction and its discovery.
 */
export async function makeRedisNonceStore({
  db,
  clock,
  onEpoch,
  redis,
  keyPrefix,
}: RedisNonceStoreOptions): Promise<NonceStore> {
  const epochKey = `${keyPrefix}:nonces:epoch`;
  const keeping = await claimNonceKeeping(db, 'redis', secondsOf(clock));
  if (keeping === 'first-ever') await redis.eval(BEGIN_EPOCH, 1, epochKey, 0, 'NX');
  if (keeping === 'taken-over')
    await redis.eval(BEGIN_EPOCH, 1, epochKey, secondsOf(clock), 'ALWAYS');
  return makeStore(
    { db, clock, onEpoch },
    {
      use: async (uses, nowSeconds) => {
        const nonceKeys = uses.map(
          // The length separates client id and nonce, whatever characters they contain.
          ({ clientId, nonce }) => `${keyPrefix}:nonces:${clientId.length}:${clientId}:${nonce}`,
        );
        return readReply(
          await redis.eval(
            USE_NONCES,
            1 + nonceKeys.length,
            epochKey,
            ...nonceKeys,
            nowSeconds,
            KEPT_SECONDS,
            ...uses.map(({ timestampSeconds }) => timestampSeconds),
          ),
        );
      },
      checkWritable: async () =>
        void (await redis.set(`${keyPrefix}:nonces:probe`, '1', 'EX', KEPT_SECONDS)),
      readEpoch: async (nowSeconds) =>
        epochOf(await redis.eval(USE_NONCES, 1, epochKey, nowSeconds, KEPT_SECONDS)),
    },
  );
}

interface MemoryUse {
  readonly outcome: NonceUse;
  readonly epochSeconds: number;
}

/** The first store that records a nonce. */
interface Memory {
  use(uses: readonly NonceToUse[], nowSeconds: number): Promise<MemoryUse[]>;
  /** Rejects while it can record none. */
  checkWritable(nowSeconds: number): Promise<void>;
  /** The epoch, a new one if nonces were lost. Undefined when only a use can detect a loss. */
  readEpoch(nowSeconds: number): Promise<number | undefined>;
}

const USED_TOGETHER_MAX = 100;
const KEPT_SECONDS = NONCE_LIFETIME_SECONDS + NONCE_MARGIN_SECONDS;
/** How far a timestamp that was accepted before a loss can lie after it. */
const AHEAD_SECONDS_MAX = TIMESTAMP_SKEW_SECONDS + NONCE_MARGIN_SECONDS;

/**
 * A client's clock may run ahead, so a request accepted before a loss can carry a later timestamp than the new epoch.
 * Such nonces have a second copy, `nonces_ahead`, which is checked while a timestamp may still come from before the loss.
 */
function makeStore({ db, clock, onEpoch }: NonceStoreOptions, memory: Memory): NonceStore {
  let known: number | undefined;
  const see = (epochSeconds: number): void => {
    if (known !== undefined && epochSeconds !== known) onEpoch?.(epochSeconds);
    known = epochSeconds;
  };
  const useTogether = makeBatchLoader(
    async (uses: readonly NonceToUse[]) => {
      const nowSeconds = secondsOf(clock);
      const answers = await memory.use(uses, nowSeconds);
      for (const { epochSeconds } of answers) see(epochSeconds);
      return answers.map((answer) => ({ ...answer, nowSeconds }));
    },
    // The repetition would find a fresh nonce already recorded, and refuse it as reused.
    { itemsMax: USED_TOGETHER_MAX, isRepeatable: false },
  );
  return {
    use: async (clientId, nonce, timestampSeconds) => {
      const use = { clientId, nonce, timestampSeconds };
      const { outcome, epochSeconds, nowSeconds } = await useTogether(use);
      if (outcome !== 'fresh') return outcome;
      const mayOutliveALoss = timestampSeconds > nowSeconds;
      const mayPrecedeTheLoss =
        epochSeconds > 0 && timestampSeconds <= epochSeconds + AHEAD_SECONDS_MAX;
      if (!mayOutliveALoss && !mayPrecedeTheLoss) return 'fresh';
      const [ahead] = await useNoncesInTable(db, 'nonces_ahead', [use], nowSeconds);
      if (ahead === undefined) throw new Error('the copy of nonces gave no answer');
      const { recorded, sinceSeconds } = ahead;
      // The copy has lost nonces too, and does not know those from before the epoch.
      const isCopyIncomplete = sinceSeconds > Math.max(0, epochSeconds - AHEAD_SECONDS_MAX);
      if (mayPrecedeTheLoss && isCopyIncomplete) return 'before-epoch';
      return recorded ? 'fresh' : 'reused';
    },
    checkWritable: async () => {
      const nowSeconds = secondsOf(clock);
      await memory.checkWritable(nowSeconds);
      await checkNoncesWritable(db, 'nonces_ahead', nowSeconds);
    },
    noticeLoss: async () => {
      const epochSeconds = await memory.readEpoch(secondsOf(clock));
      if (epochSeconds !== undefined) see(epochSeconds);
    },
    close: async () => undefined,
  };
}

/**
 * Reads the id of this run of Redis and its number of evictions inside the script, so that no connection uses the id of an
 * earlier run, and no key is evicted between the check and the use.
 */
const READ_RUN = `
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
local evicted = string.match(redis.call('INFO', 'stats'), 'evicted_keys:(%d+)')`;

/** KEYS: epoch. ARGV: epoch in seconds, NX to keep one that exists. */
const BEGIN_EPOCH = `
${READ_RUN}
if ARGV[2] == 'NX' and redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'run', run, 'evicted', evicted)
return 1`;

/**
 * KEYS: epoch, nonces. ARGV: now, lifetime, timestamps, all in seconds. Returns the epoch and the outcomes. The release
 * before did not record evictions: then nothing was lost if there were none.
 */
const USE_NONCES = `
${READ_RUN}
local known = redis.call('HMGET', KEYS[1], 'epoch', 'run', 'evicted')
local epoch = tonumber(known[1])
if not epoch or known[2] ~= run or (known[3] or '0') ~= evicted then
  epoch = math.max(epoch or 0, tonumber(ARGV[1]))
  redis.call('HSET', KEYS[1], 'epoch', epoch, 'run', run, 'evicted', evicted)
end
local reply = {epoch}
for at = 2, #KEYS do
  if tonumber(ARGV[at + 1]) <= epoch then reply[at] = 'before-epoch'
  elseif redis.call('SET', KEYS[at], '1', 'NX', 'EX', ARGV[2]) then reply[at] = 'fresh'
  else reply[at] = 'reused' end
end
return reply`;

function readReply(reply: unknown): MemoryUse[] {
  const [, ...outcomes]: unknown[] = Array.isArray(reply) ? reply : [];
  const epochSeconds = epochOf(reply);
  return outcomes.map((outcome) => {
    if (outcome !== 'fresh' && outcome !== 'reused' && outcome !== 'before-epoch') {
      throw new Error('the nonce script gave no outcome');
    }
    return { outcome, epochSeconds };
  });
}

function epochOf(reply: unknown): number {
  return Number(Array.isArray(reply) ? reply[0] : undefined);
}

/** Read when the command is sent, so that commands of one process reach the store in the order of their times. */
function secondsOf(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1_000);
}
