import { join } from 'node:path';
import { makeRegistryClient, type RegistryClient } from '../../../client/registry-client.ts';
import { SCOPES } from '../../../shared/contract/enums.ts';
import { REGULATOR_FEED } from '../../../shared/store/registry/feed/change-types.ts';
import { untilReadable } from '../../env/feed/feed-reader.ts';
import { makeRunFolder, removeRunFolder } from '../../env/run-folder.ts';
import { untilSettled } from '../checks/stored-problems.ts';
import {
  findMirrorProblems,
  findReadProblems,
  findUncommitted,
  readStoredFeed,
} from '../feed/feed-problems.ts';
import { type Follower, followFeed, readOldCursors } from '../feed/follow-feed.ts';
import { startReviewers } from '../feed/review-flags.ts';
import { runMirror } from '../feed/run-mirror.ts';
import { BOTH, type Round, type Scenario, strikeRepeatedly } from '../scenario.ts';
import type { World } from '../world.ts';
import { crashPostgres } from './servers.ts';

/** About four hundred changes. `--certificates 31000` makes about 51,000. */
const CERTIFICATES = 250;
const ROUND_MS_MIN = 150_000;
const CERTIFICATE_MS_MAX = 30;

/** The demonstration client of the regulator, whose feed has every change. */
const REGULATOR = 'verifier';
const READERS = [REGULATOR, 'alpha', 'mgt-one'] as const;

/** A reader with the place at which it began. */
interface Reading {
  readonly name: string;
  readonly start: string | undefined;
  readonly follower: Follower;
}

/**
 * Three readers and a mirror follow the change feed while transmissions are settled, flags are reviewed and a fault strikes:
 * each gets every committed change once and in order, and nothing that did not commit (D37).
 */
function feedScenario(
  form: Pick<Scenario, 'name' | 'rounds' | 'strikes' | 'allows'>,
  fault: (round: Round) => Promise<void>,
): Scenario {
  return {
    ...form,
    shapes: BOTH,
    certificates: CERTIFICATES,
    roundMsMax: ({ certificates }) => ROUND_MS_MIN + certificates * CERTIFICATE_MS_MAX,
    strike: (round) => strike(round, form.allows?.serverErrors === true, fault),
  };
}

async function strike(
  round: Round,
  allowsServerErrors: boolean,
  fault: (round: Round) => Promise<void>,
): Promise<void> {
  const { world, random, load, signal, note } = round;
  await allowRegulatorToRead(world);
  const folder = makeRunFolder();
  signal.addEventListener('abort', () => removeRunFolder(folder));
  const reviewers = await startReviewers(world, random, {
    allowsServerErrors,
    onReview: (status) => note(`reviews ${status}`),
  });
  await load.until(0.05);
  const readings = await Promise.all(
    READERS.map((name) => startReading(round, name, allowsServerErrors)),
  );
  const mirror = runMirror(world, world.credentialsOf(REGULATOR), {
    random,
    file: join(folder, 'mirror.ndjson'),
    onKill: () => note('mirror kills'),
    signal,
  });
  await strikeRepeatedly(round, fault);
  await load.done;
  await reviewers.stop();
  await untilSettled(world);
  await untilReadable(world.db);
  load.report.problems.push(...(await findUncommitted(world.db)));
  for (const reading of readings) await judgeReading(round, reading);
  const mirrored = await mirror.end();
  const cursors = mirrored.map(({ cursor }) => cursor);
  const stored = await readStoredFeed(world.db, REGULATOR_FEED);
  note('changes', stored.length);
  const problems = [
    ...findReadProblems(stored, undefined, cursors),
    ...(await findMirrorProblems(world.db, mirrored)),
  ];
  load.report.problems.push(...problems.map((problem) => `mirror: ${problem}`));
}

/** In the demonstration, the regulator's client may only check coverage. */
async function allowRegulatorToRead({ db }: World): Promise<void> {
  await db.$executeRaw`UPDATE api_clients SET scopes = ${[...SCOPES]} WHERE name = ${REGULATOR}`;
}

async function startReading(
  { world, random, signal, note }: Round,
  name: string,
  allowsServerErrors: boolean,
): Promise<Reading> {
  const client = makeReader(world, name);
  const options = { random, onCrash: () => note('reader crashes'), signal, allowsServerErrors };
  const old = await readOldCursors(client);
  const start = old.length === 0 ? undefined : random.pick(old);
  const follower = followFeed(client, start, options);
  return { name, start, follower };
}

/** Its requests are not in the log of the load. */
function makeReader({ baseUrl, credentialsOf }: World, name: string): RegistryClient {
  const { clientId, clientSecret, signingSecret } = credentialsOf(name);
  return makeRegistryClient({ clientId, clientSecret, signingSecret, baseUrl, retries: 0 });
}

async function judgeReading({ world, load }: Round, reading: Reading): Promise<void> {
  const { name, start, follower } = reading;
  const cursors = await follower.end();
  const stored = await readStoredFeed(world.db, await feedOf(world, name));
  const problems = findReadProblems(stored, start, cursors);
  load.report.problems.push(...problems.map((problem) => `the reader ${name}: ${problem}`));
}

async function feedOf({ db }: World, name: string): Promise<string> {
  if (name === REGULATOR) return REGULATOR_FEED;
  const { organizationId } = await db.apiClient.findFirstOrThrow({ where: { name } });
  return organizationId;
}

export const FEED: readonly Scenario[] = [
  feedScenario(
    { name: 'feed', rounds: { short: ['redis'], full: 5 }, strikes: { short: 3, full: 10 } },
    async ({ world, random, note }) => {
      const victim = random.pick(world.workers);
      await victim.kill();
      note('worker kills');
      await world.startWorker();
    },
  ),
  // After a crash, PostgreSQL gives the ids of transactions that had not committed once more.
  feedScenario(
    {
      name: 'feed-postgres-killed',
      rounds: { short: ['embedded'], full: 5 },
      strikes: { short: 2, full: 5 },
      allows: { serverErrors: true },
    },
    (round) => crashPostgres(round, 'SIGKILL'),
  ),
];
