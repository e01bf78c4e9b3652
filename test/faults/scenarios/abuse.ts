import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import { anyAddress } from '../../env/api/signed-request.ts';
import { forge } from '../abuse/forge.ts';
import { hurlMalformed, isStillServing } from '../abuse/hurl.ts';
import { replay } from '../abuse/replay.ts';
import { beSlow, SLOWNESSES, type Slowness } from '../abuse/slow-sockets.ts';
import { type AbuseTarget, inParallel, makeSender } from '../abuse/target.ts';
import { BOTH, type Round, type Scenario } from '../scenario.ts';
import type { World } from '../world.ts';

const SEEDS = 1_000_000;
/** Fewer than a load of the other scenarios: they are who must not be harmed. */
const CERTIFICATES = 20;
const ROUNDS = 20;
const MALFORMED_ROUNDS = 50;
const MALFORMED_OF_ROUND = { full: 2_000, short: 400 };
const FORGERIES_OF_ROUND = { full: 1_000, short: 400 };
const REPLAYS_OF_ROUND = { full: 500, short: 200 };

/** From after the first round on; what a process keeps by design (pools, compiled code) is there by then. */
const GROWTH_MB_MAX = 160;
const baselines = new WeakMap<World, number>();

/** 100,000 in full: no error of the service, every refusal as documented, memory flat. */
const malformedBodies: Scenario = {
  name: 'malformed-bodies',
  shapes: BOTH,
  rounds: { short: ['redis'], full: MALFORMED_ROUNDS },
  certificates: CERTIFICATES,
  // A body of a megabyte keeps the one thread of the API, whatever transaction is open meanwhile.
  brings: { idleTransactions: true },
  strike: async (round) => {
    const { world, random, load, isFull, note } = round;
    const seed = random.below(SEEDS);
    const count = MALFORMED_OF_ROUND[isFull ? 'full' : 'short'];
    const target = abuseTarget(world);
    const { flaws, statuses } = await hurlMalformed(target, seed, count);
    load.book.flaws.push(...flaws);
    for (const [status, answers] of statuses) note(status === 0 ? 'closed' : `${status}`, answers);
    if (!(await isStillServing(target)))
      load.book.flaws.push('what is valid is registered no more');
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
    load.book.flaws.push(`the API grew from ${baseline} to ${megabytes} MB`);
  }
}

async function residentMegabytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Math.round(Number(stdout) / 1_024);
}

/** 20,000 in full: each is refused, and the genuine request passes all the same. */
const signatureMutations: Scenario = {
  name: 'signature-mutations',
  shapes: BOTH,
  rounds: { short: ['embedded'], full: ROUNDS },
  certificates: CERTIFICATES,
  strike: async ({ world, random, load, isFull, note }) => {
    const count = FORGERIES_OF_ROUND[isFull ? 'full' : 'short'];
    const { flaws, refusals, genuine } = await forge(
      abuseTarget(world),
      random.below(SEEDS),
      count,
    );
    load.book.flaws.push(...flaws);
    for (const [code, answers] of refusals) note(code, answers);
    note('genuine', genuine);
  },
};

/** 10,000 in full, through two API processes, before and after the nonces are lost: none passes. */
const replays: Scenario = {
  name: 'replays',
  shapes: BOTH,
  rounds: { short: ['redis'], full: ROUNDS },
  certificates: CERTIFICATES,
  // Requests of the load are refused, and signed anew, when the nonces are lost under them.
  strike: async ({ world, random, load, isFull, note }) => {
    const other = besides.get(world) ?? world.startApiBeside();
    besides.set(world, other);
    const { baseUrl } = await other;
    await load.done;
    const {
      flaws,
      refusals,
      replays: sent,
    } = await replay(abuseTarget(world), {
      seed: random.below(SEEDS),
      count: REPLAYS_OF_ROUND[isFull ? 'full' : 'short'],
      baseUrls: [world.baseUrl, baseUrl],
      losses: lossesOf(world),
    });
    load.book.flaws.push(...flaws);
    for (const [code, answers] of refusals) note(code, answers);
    note('replays', sent);
  },
};

const besides = new WeakMap<World, ReturnType<World['startApiBeside']>>();

function lossesOf({ redis, db }: World): (() => Promise<void>)[] {
  if (redis === undefined) return [async () => void (await db.$executeRaw`DELETE FROM nonces`)];
  return [() => redis.flush(), () => redis.restart()];
}

const SLOW_SOCKETS = { full: 500, short: 40 };
/** The registry's own limits and a look later (api/http/listen.ts). */
const CUT_OFF_SECONDS: Record<Slowness, number> = {
  silent: 25,
  headers: 25,
  body: 70,
  answer: 124,
};
const SHORT: readonly Slowness[] = ['silent', 'headers'];

/** 500 in full: each is cut off in time, and the load is not harmed. */
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
      if (closed === undefined) load.book.flaws.push(`slow with ${slowness} and not cut off`);
    });
    if (!(await isStillServing(abuseTarget(world)))) {
      load.book.flaws.push('what is valid is registered no more');
    }
  },
};

/** Tokens are asked for once a world: the limit of an address counts them. */
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
      const token = askToken(world, name);
      known.set(name, { at: Date.now(), token });
      return token;
    },
  };
}

async function askToken(world: World, name: string): Promise<string> {
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
