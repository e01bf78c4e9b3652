import { SIGNATURE_HEADERS } from '../../../shared/contract/machine/signing.ts';
import { makeRandom, type Random } from '../random.ts';
import { FORGERIES, type Genuine } from './forgeries.ts';
import { fullBody } from './subjects.ts';
import {
  type AbuseTarget,
  type Call,
  inParallel,
  makeSender,
  type Reply,
  signCall,
} from './target.ts';

export interface Forged {
  readonly problems: readonly string[];
  /** Forgeries by the code of their refusal. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Genuine requests that were accepted after all their forgeries. A forgery must not use up the nonce. */
  readonly genuine: number;
}

const AT_ONCE = 12;
const FORGERIES_OF_ONE = 20;
const OTHERS = ['bravo', 'charlie', 'mgt-one'] as const;

/** Sends `count` forgeries of genuine requests, and after every twenty the genuine one. Only the genuine one may be accepted. */
export async function forge(target: AbuseTarget, seed: number, count: number): Promise<Forged> {
  const sender = makeSender(target);
  const problems: string[] = [];
  const refusals = new Map<string, number>();
  let passed = 0;
  try {
    await inParallel(Math.ceil(count / FORGERIES_OF_ONE), AT_ONCE, async (index) => {
      const random = makeRandom(seed * 1_000_033 + index);
      const genuine = await makeGenuine(target, random);
      for (let forged = 0; forged < FORGERIES_OF_ONE; forged += 1) {
        const { what, call } = await forgeryOf(target, random, genuine);
        const reply = await sender.send(call);
        const refusal = refusalOf(reply);
        refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1);
        if (isNotRefused(reply))
          problems.push(`${seed}/${index} ${what}: ${reply.status} ${reply.text}`);
      }
      const reply = await sender.send(genuine.call);
      if (isNotRefused(reply)) passed += 1;
      else problems.push(`${seed}/${index} the genuine one: ${reply.status} ${reply.text}`);
    });
  } finally {
    sender.close();
  }
  return { problems, refusals, genuine: passed };
}

/** Also true for a 5xx, because the request was then not refused. */
function isNotRefused({ status }: Reply): boolean {
  return status !== 0 && (status < 400 || status >= 500);
}

function refusalOf({ status, envelope }: Reply): string {
  return envelope?.error?.code ?? (status === 0 ? 'no answer' : String(status));
}

async function forgeryOf(target: AbuseTarget, random: Random, genuine: Genuine) {
  if (random.percent(92)) return random.pick(FORGERIES)(random, genuine, target);
  const other = random.pick(OTHERS);
  const token = `Bearer ${await target.tokenOf(other)}`;
  const id = target.client(other).clientId;
  const [what, headers] = random.pick([
    ['the token', { authorization: token }],
    ['the id', { [SIGNATURE_HEADERS.clientId]: id }],
    ['token and id', { authorization: token, [SIGNATURE_HEADERS.clientId]: id }],
  ] as const);
  const call: Call = { ...genuine.call, headers: { ...genuine.call.headers, ...headers } };
  return { what: `${what} of ${other}`, call };
}

async function makeGenuine(target: AbuseTarget, random: Random): Promise<Genuine> {
  const call = await signCall(target, 'alpha', genuineRequest(random));
  const text = (name: string) => String(call.headers[name]);
  return {
    call,
    timestamp: text(SIGNATURE_HEADERS.timestamp),
    nonce: text(SIGNATURE_HEADERS.nonce),
    signature: text(SIGNATURE_HEADERS.signature),
    token: await target.tokenOf('alpha'),
  };
}

/** A valid request; most of them would change the registry. */
export function genuineRequest(random: Random): Parameters<typeof signCall>[2] {
  if (random.percent(60)) {
    const body = Buffer.from(JSON.stringify(fullBody(random)), 'utf8');
    return { method: 'POST', path: '/ppai/policies', body, headers: { prefer: 'respond-async' } };
  }
  const query = 'policyNumber=POL-1&cocNumber=C-1';
  return { method: 'GET', path: `/ppai/policies/search?${query}` };
}
