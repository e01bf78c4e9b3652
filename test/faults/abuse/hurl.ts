import { checkStaffAnswer } from '../../env/staff/answers.ts';
import { checkAnswer } from '../../pure/contract/answer-matcher.ts';
import { makeRandom, type Random } from '../random.ts';
import { type Case, makeMachineCases } from './machine-cases.ts';
import { makeStaffCases } from './staff-cases.ts';
import { signInNewAdministrator } from './staff-session.ts';
import { type Aim, fullBody } from './subjects.ts';
import {
  type AbuseTarget,
  inParallel,
  makeSender,
  type Reply,
  type Sender,
  signCall,
} from './target.ts';

export interface Hurled {
  /** What no answer may be, with all that is needed to hurl it again. */
  readonly flaws: readonly string[];
  /** How many were answered with each status; 0 for connections that were closed. */
  readonly statuses: ReadonlyMap<number, number>;
}

const AT_ONCE = 16;
const STAFF_PERCENT = 25;
/** Malformed changes are aimed at so many records; some of them change them all the same. */
const AIMS = 8;
const FLAWS_MAX = 10;

/** Hurls `count` malformed requests at every endpoint; the same seed hurls the same. */
export async function hurlMalformed(
  target: AbuseTarget,
  seed: number,
  count: number,
): Promise<Hurled> {
  const sender = makeSender(target);
  const since = new Date();
  try {
    const aims = await registerAims(target, sender, makeRandom(seed));
    const machine = makeMachineCases(target, aims);
    const staff = makeStaffCases(target, await signInNewAdministrator(target, sender));
    const flaws: string[] = [];
    const statuses = new Map<number, number>();
    await inParallel(count, AT_ONCE, async (index) => {
      if (flaws.length >= FLAWS_MAX) return;
      const random = makeRandom(seed * 1_000_003 + index);
      const hurled = await (random.percent(STAFF_PERCENT) ? staff : machine)(random);
      const reply = await sender.send(hurled.call);
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      const found = flawsOf(hurled, reply);
      if (found.length > 0) flaws.push(describe(hurled, reply, found, `${seed}/${index}`));
    });
    return { flaws: [...flaws, ...(await failedInWorkers(target, since))], statuses };
  } finally {
    sender.close();
  }
}

async function registerAims(target: AbuseTarget, sender: Sender, random: Random): Promise<Aim[]> {
  const aims: Aim[] = [];
  for (let made = 0; made < AIMS; made += 1) {
    const body = fullBody(random);
    const { status, envelope, text } = await sender.send(await transmission(target, body));
    if (status !== 201) throw new Error(`a valid transmission was answered ${status} ${text}`);
    aims.push({ registryReference: String(envelope?.data?.['registryReference']), body });
  }
  return aims;
}

/** That what is valid is still registered. */
export async function isStillServing(target: AbuseTarget): Promise<boolean> {
  const sender = makeSender(target);
  try {
    const { status } = await sender.send(await transmission(target, fullBody(makeRandom(1))));
    return status === 201;
  } finally {
    sender.close();
  }
}

function transmission(target: AbuseTarget, body: object) {
  const bytes = Buffer.from(JSON.stringify(body), 'utf8');
  const headers = { prefer: 'wait=30' };
  return signCall(target, 'alpha', {
    method: 'POST',
    path: '/ppai/policies',
    body: bytes,
    headers,
  });
}

function flawsOf({ realm, call, mustBeRefused }: Case, reply: Reply): string[] {
  const { status, headers, text, envelope } = reply;
  if (status === 0) return isCut(call) ? [] : ['no answer'];
  if (status >= 500) return [`${status}`];
  if (envelope === undefined) return [`no envelope: ${text.slice(0, 200)}`];
  const isRefused = status >= 400 && envelope.data === null;
  if (!isDecodable(call.path)) {
    return isRefused && envelope.error?.code === 'NOT_FOUND' ? [] : [`no route, and ${status}`];
  }
  return [
    ...(mustBeRefused && !isRefused ? [`it was taken: ${status}`] : []),
    ...(realm === 'machine'
      ? checkAnswer({ method: call.method, path: call.path, status, headers, body: envelope })
      : checkStaffAnswer(call.method, call.path, { status, headers, text, envelope })),
  ];
}

/** The router can't read such a path, so it is that of no route (D25). */
function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path.split('?')[0] ?? '') !== '';
  } catch {
    return false;
  }
}

/** What is longer than it says is followed by what is no request. */
function isCut({ headers }: Case['call']): boolean {
  return headers['connection'] === 'close';
}

function describe({ what, call }: Case, { text }: Reply, flaws: string[], which: string): string {
  const body = call.body?.toString('latin1').slice(0, 300) ?? '';
  return `${which} ${what}: ${flaws.slice(0, 3).join('; ')}\n  ${text.slice(0, 300)}\n  ${body}`;
}

/** What was recorded must be judged, not fail: no worker may stumble over it. */
async function failedInWorkers({ db }: AbuseTarget, since: Date): Promise<string[]> {
  const failed = await db.transmission.findMany({
    where: { failures: { gt: 0 }, receivedAt: { gte: since } },
    select: { externalTransactionId: true, lastError: true },
    take: FLAWS_MAX,
  });
  return failed.map(
    (row) => `a worker stumbled over ${row.externalTransactionId}: ${row.lastError}`,
  );
}
