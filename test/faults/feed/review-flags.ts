import { setTimeout as sleep } from 'node:timers/promises';
import { CSRF_HEADER } from '../../../shared/contract/staff.ts';
import { anyAddress } from '../../env/api/signed-request.ts';
import { makeSender } from '../abuse/target.ts';
import type { Random } from '../random.ts';
import { signInNewAdministrator } from '../staff-session.ts';
import type { World } from '../world.ts';

export interface Reviewers {
  stop(): Promise<void>;
}

const REVIEWERS = 4;
const PAUSE_MS = 100;
const FLAGS = '/admin/v1/flags';

export interface ReviewOptions {
  /** A request that is answered 5xx is made again later. */
  readonly allowsServerErrors: boolean;
  readonly onReview: (status: number) => void;
}

/** Staff that clear open flags or refer them back until `stop`. Some of them choose the same flag, so that one is refused. */
export async function startReviewers(
  world: World,
  random: Random,
  { allowsServerErrors, onReview }: ReviewOptions,
): Promise<Reviewers> {
  const sender = makeSender(world);
  const cookie = await signInNewAdministrator(world, sender);
  const headers = { cookie, 'x-forwarded-for': anyAddress() };
  let isStopping = false;
  const review = async (): Promise<void> => {
    while (!isStopping) {
      await sleep(random.below(PAUSE_MS));
      const path = `${FLAGS}?status=OPEN&limit=20`;
      const { status, envelope, text } = await sender.send({ method: 'GET', path, headers });
      if (allowsServerErrors && status >= 500) continue;
      if (status !== 200) throw new Error(`the flags were answered ${status} ${text}`);
      const flags = envelope?.data?.['items'] as { id: string }[];
      if (flags.length === 0) continue;
      const { id } = random.pick(flags);
      const reply = await sender.send({
        method: 'POST',
        path: `${FLAGS}/${id}/${random.pick(['clear', 'refer'])}`,
        headers: {
          ...headers,
          'content-type': 'application/json',
          origin: world.baseUrl,
          [CSRF_HEADER]: '1',
        },
        body: Buffer.from(JSON.stringify({ notes: 'Reviewed' }), 'utf8'),
      });
      const isAllowed = reply.status === 409 || (allowsServerErrors && reply.status >= 500);
      if (reply.status !== 200 && !isAllowed)
        throw new Error(`a review was answered ${reply.status} ${reply.text}`);
      onReview(reply.status);
    }
  };
  const reviewing = Promise.all(Array.from({ length: REVIEWERS }, review));
  // The scenario awaits it after the load.
  reviewing.catch(() => undefined);
  return {
    stop: async () => {
      isStopping = true;
      await reviewing;
      sender.close();
    },
  };
}
