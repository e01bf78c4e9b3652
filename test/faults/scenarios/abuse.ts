import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import { anyAddress } from '../../env/api/signed-request.ts';
import { forge } from '../abuse/forge.ts';
import { replay } from '../abuse/replay.ts';
import { isStillServing, sendMalformed } from '../abuse/send-malformed.ts';
import { beSlow, SLOWNESSES, type Slowness } from '../abuse/slow-sockets.ts';
import { type AbuseTarget, inParallel, makeSender } from '../abuse/target.ts';
import { BOTH, type Round, type Scenario } from '../scenario.ts';
import type { World } from '../world.ts';

const SEEDS = 1_000_000;
/** A smaller load than in other scenarios. The abuse must not affect it. */
const CERTIFICATES = 20;
const ROUNDS = 20;
const MALFORMED_ROUNDS = 50;
const MALFORMED_OF_ROUND = { full: 2_000, short: 400 };
const FORGERIES_OF_ROUND = { full: 1_000, short: 400 };
const REPLAYS_OF_ROUND = { full: 500, short: 200 };

/** Limit of growth after the first round. By then pools and compiled code are loaded. */
const GROWTH_MB_MAX = 160;
const baselines = new WeakMap<World, number>();

/** 100,000 requests in the full form: no service error, every refusal as documented, constant memory. */
const malformedBodies: Scenario = {
  name: 'malformed-bodies',
  shapes: BOTH,
  rounds: { short: ['redis'], full: MALFORMED_ROUNDS },
  certificates: CERTIFICATES,
  // A body of a megabyte blocks the API's thread, and so any open transaction.
  allows: { idleTransactions: true },
  strike: async (round) => {
    const { world, random, load, isFull, note } = round;
    const seed = random.below(SEEDS);
    const count = MALFORMED_OF_ROUND[isFull ? 'full' : 'short'];
    const target = abuseTarget(world);
    const { problems, statuses } = await sendMalformed(target, seed, count);
    load.report.problems.push(...problems);
    for (const [status, answers] of statuses) note(status === 0 ? 'closed' : `${status}`, answers);
    if (!(await isStillServing(target)))
      load.report.problems.push('a valid certificate is no longer registered');
    await watchMemory(round);
  },
};

async function watchMemory({ world, load, index, note }: Round): Promise<void> {
  const megabytes = await residentMegabytes(world.api.pid);
  const baseline = baselines.get(world) ?? megabytes;
  baselines.set(world, baseline);
  if (index % 10 === 0 || index === MALFORMED_ROUNDS - 1)
    note(`MB after round ${index + 1}`, megabytes);
  if (megabytes - baseline > GROWTH_MB_MAX) {
    load.report.problems.push(`the API grew from ${baseline} to ${megabytes} MB`);
  }
}

async function residentMegabytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Math.round(Number(stdout) / 1_024);
}

/** 20,000 forgeries in the full form: each is refused, and the genuine request is still accepted. */
const signatureMutations: Scenario = {
  name: 'signature-mutations',
  shapes: BOTH,
  rounds: { short: ['embedded'], full: ROUNDS },
  certificates: CERTIFICATES,
  strike: async ({ world, random, load, isFull, note }) => {
    const count = FORGERIES_OF_ROUND[isFull ? 'full' : 'short'];
    const { problems, refusals, genuine } = await forge(
      abuseTarget(world),
      random.below(SEEDS),
      count,
    );
    load.report.problems.push(...problems);
    for (const [code, answers] of refusals) note(code, answers);
    note('genuine', genuine);
  },
};

/** 10,000 replays in the full form, through two API processes, before and after a loss of nonces: none is accepted. */
const replays: Scenario = {
  name: 'replays',
  shapes: BOTH,
  rounds: { short: ['redis'], full: ROUNDS },
  certificates: CERTIFICATES,
  // A loss of nonces makes requests of the load be refused and signed again.
  strike: async ({ world, random, load, isFull, note }) => {
    const other = otherApis.get(world) ?? world.startAnotherApi();
    otherApis.set(world, other);
    const { baseUrl } = await other;
    await load.done;
    const {
      problems,
      refusals,
      replays: sent,
    } = await replay(abuseTarget(world), {
      seed: random.below(SEEDS),
      count: REPLAYS_OF_ROUND[isFull ? 'full' : 'short'],
      baseUrls: [world.baseUrl, baseUrl],
      losses: lossesOf(world),
    });
    load.report.problems.push(...problems);
    for (const [code, answers] of refusals) note(code, answers);
    note('replays', sent);
  },
};

const otherApis = new WeakMap<World, ReturnType<World['startAnotherApi']>>();

function lossesOf({ redis, db }: World): (() => Promise<void>)[] {
  if (redis === undefined) return [async () => void (await db.$executeRaw`DELETE FROM nonces`)];
  return [() => redis.flush(), () => redis.restart()];
}

const SLOW_SOCKETS = { full: 500, short: 40 };
/** The registry's limits plus one check interval (api/http/listen.ts). */
const CUT_OFF_SECONDS: Record<Slowness, number> = {
  silent: 25,
  headers: 25,
  body: 70,
  answer: 124,
};
const SHORT: readonly Slowness[] = ['silent', 'headers'];

/** 500 connections in the full form: each is closed in time, and the load is not affected. */
const slowSockets: Scenario = {
  name: 'slow-sockets',
  shapes: BOTH,
  rounds: { short: ['redis'], full: 1 },
  certificates: CERTIFICATES,
  strike: async ({ world, random, load, isFull, note }) => {
    const kinds = isFull ? SLOWNESSES : SHORT;
    const targets = {
      post: `${API_BASE}/oauth/token`,
      get: `${API_BASE}/docs/swagger-ui-bundle.js`,
    };
    await inParallel(SLOW_SOCKETS[isFull ? 'full' : 'short'], SLOW_SOCKETS.full, async () => {
      const slowness = random.pick(kinds);
      const waitMs = CUT_OFF_SECONDS[slowness] * 1_000;
      const closed = await beSlow(world.baseUrl, slowness, targets, waitMs);
      note(slowness);
      if (closed === undefined) load.report.problems.push(`slow with ${slowness} and not cut off`);
    });
    if (!(await isStillServing(abuseTarget(world)))) {
      load.report.problems.push('a valid certificate is no longer registered');
    }
  },
};

/** Tokens are requested once per world, because the rate limit of the address counts them. */
const tokens = new WeakMap<
  World,
  Map<string, { readonly at: number; readonly token: Promise<string> }>
>();
const TOKEN_MS_MAX = 600_000;

function abuseTarget(world: World): AbuseTarget {
  const known = tokens.get(world) ?? new Map();
  tokens.set(world, known);
  return {
    baseUrl: world.baseUrl,
    db: world.db,
    client: world.credentialsOf,
    tokenOf: (name) => {
      const held = known.get(name);
      if (held !== undefined && Date.now() - held.at < TOKEN_MS_MAX) return held.token;
      const token = requestToken(world, name);
      known.set(name, { at: Date.now(), token });
      return token;
    },
  };
}

async function requestToken(world: World, name: string): Promise<string> {
  const { clientId, clientSecret } = world.credentialsOf(name);
  const sender = makeSender(world);
  const { status, envelope, text } = await sender.send({
    method: 'POST',
    path: `${API_BASE}/oauth/token`,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': anyAddress() },
    body: Buffer.from(
      JSON.stringify({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      }),
    ),
  });
  sender.close();
  if (status !== 200) throw new Error(`no token: ${text}`);
  return String(envelope?.data?.['access_token']);
}

export const ABUSE: readonly Scenario[] = [
  malformedBodies,
  signatureMutations,
  replays,
  slowSockets,
];
