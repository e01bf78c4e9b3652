import { checkStaffAnswer } from '../../env/staff/answers.ts';
import { checkAnswer } from '../../pure/contract/answer-matcher.ts';
import { makeRandom, type Random } from '../random.ts';
import { signInNewAdministrator } from '../staff-session.ts';
import { type Case, makeMachineCases } from './machine-cases.ts';
import { makeStaffCases } from './staff-cases.ts';
import { fullBody, type TargetRecord } from './subjects.ts';
import {
  type AbuseTarget,
  inParallel,
  makeSender,
  type Reply,
  type Sender,
  signCall,
} from './target.ts';

export interface MalformedResult {
  /** Unacceptable answers, with the seed to repeat the request. */
  readonly problems: readonly string[];
  /** Number of answers by status; 0 stands for closed connections. */
  readonly statuses: ReadonlyMap<number, number>;
}

const AT_ONCE = 16;
const STAFF_PERCENT = 25;
/** Number of records for malformed changes. Some of the changes are valid and succeed. */
const TARGET_RECORDS = 8;
const PROBLEMS_MAX = 10;

/** Sends `count` malformed requests to all endpoints. The same seed sends the same requests. */
export async function sendMalformed(
  target: AbuseTarget,
  seed: number,
  count: number,
): Promise<MalformedResult> {
  const sender = makeSender(target);
  const since = new Date();
  try {
    const targets = await registerTargets(target, sender, makeRandom(seed));
    const machine = makeMachineCases(target, targets);
    const staff = makeStaffCases(target, await signInNewAdministrator(target, sender));
    const problems: string[] = [];
    const statuses = new Map<number, number>();
    await inParallel(count, AT_ONCE, async (index) => {
      if (problems.length >= PROBLEMS_MAX) return;
      const random = makeRandom(seed * 1_000_003 + index);
      const malformed = await (random.percent(STAFF_PERCENT) ? staff : machine)(random);
      const reply = await sender.send(malformed.call);
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      const found = problemsOf(malformed, reply);
      if (found.length > 0) problems.push(describe(malformed, reply, found, `${seed}/${index}`));
    });
    return { problems: [...problems, ...(await failedInWorkers(target, since))], statuses };
  } finally {
    sender.close();
  }
}

async function registerTargets(
  target: AbuseTarget,
  sender: Sender,
  random: Random,
): Promise<TargetRecord[]> {
  const targets: TargetRecord[] = [];
  for (let made = 0; made < TARGET_RECORDS; made += 1) {
    const body = fullBody(random);
    const { status, envelope, text } = await sender.send(await transmission(target, body));
    if (status !== 201) throw new Error(`a valid transmission was answered ${status} ${text}`);
    targets.push({ registryReference: String(envelope?.data?.['registryReference']), body });
  }
  return targets;
}

/** Whether a valid certificate is still registered. */
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

function problemsOf({ realm, call, mustBeRefused }: Case, reply: Reply): string[] {
  const { status, headers, text, envelope } = reply;
  if (status === 0) return isCut(call) ? [] : ['no answer'];
  if (status >= 500) return [`${status}`];
  if (envelope === undefined) return [`no envelope: ${text.slice(0, 200)}`];
  const isRefused = status >= 400 && envelope.data === null;
  if (!isDecodable(call.path)) {
    return isRefused && envelope.error?.code === 'NOT_FOUND'
      ? []
      : [`answered ${status} although the path is unknown`];
  }
  return [
    ...(mustBeRefused && !isRefused ? [`it was accepted: ${status}`] : []),
    ...(realm === 'machine'
      ? checkAnswer({ method: call.method, path: call.path, status, headers, body: envelope })
      : checkStaffAnswer(call.method, call.path, { status, headers, text, envelope })),
  ];
}

/** A path that cannot be decoded belongs to no route (D25). */
function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path.split('?')[0] ?? '') !== '';
  } catch {
    return false;
  }
}

/** A body that exceeds its Content-Length: the server reads the rest as an invalid request and closes the connection. */
function isCut({ headers }: Case['call']): boolean {
  return headers['connection'] === 'close';
}

function describe(
  { what, call }: Case,
  { text }: Reply,
  problems: string[],
  which: string,
): string {
  const body = call.body?.toString('latin1').slice(0, 300) ?? '';
  return `${which} ${what}: ${problems.slice(0, 3).join('; ')}\n  ${text.slice(0, 300)}\n  ${body}`;
}

/** A recorded transmission must get a verdict: no worker may fail on it. */
async function failedInWorkers({ db }: AbuseTarget, since: Date): Promise<string[]> {
  const failed = await db.transmission.findMany({
    where: { failures: { gt: 0 }, receivedAt: { gte: since } },
    select: { externalTransactionId: true, lastError: true },
    take: PROBLEMS_MAX,
  });
  return failed.map((row) => `a worker failed on ${row.externalTransactionId}: ${row.lastError}`);
}
