import type { Db } from '../../../shared/db/prisma.ts';
import type { Keyring } from '../../../shared/platform/secrets/sealing.ts';
import {
  ATTEMPTS_MAX,
  type ClaimedTransmission,
  claim,
} from '../../../shared/store/intake/claim.ts';
import { receive } from '../../../shared/store/intake/receive.ts';
import { releaseForRetry } from '../../../shared/store/intake/release.ts';
import { failureReason, RETRY_PAUSES_SECONDS } from '../../../worker/retry-policy.ts';
import type { PastDay } from './past-certificates.ts';
import type { SendingClient } from './plan-bursts.ts';
import { certificateReceived, type ReceiptMoment, type Senders } from './receive-at.ts';

interface ParkedGroup {
  readonly client: SendingClient;
  readonly transmissions: number;
  /** The fault at every attempt; undefined when the worker itself ended each time. */
  readonly fault: Error | undefined;
}

const PARKED: readonly ParkedGroup[] = [
  {
    client: 'alpha',
    transmissions: 7,
    fault: faultOf('53100', 'could not extend file: No space left on device'),
  },
  {
    client: 'charlie',
    transmissions: 4,
    fault: faultOf('57014', 'canceling statement due to statement timeout'),
  },
  { client: 'bravo', transmissions: 2, fault: undefined },
];

function faultOf(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/**
 * Receives valid certificates that fail at every attempt, until they are parked. The sweeper of the first worker parks those
 * whose workers ended. No worker may run meanwhile, because it would register them.
 */
export async function parkTransmissions(
  {
    db,
    keyring,
    senders,
  }: { readonly db: Db; readonly keyring: Keyring; readonly senders: Senders },
  past: PastDay,
  at: ReceiptMoment,
): Promise<number> {
  let count = 0;
  for (const { client, transmissions, fault } of PARKED) {
    const received = Array.from({ length: transmissions }, () =>
      certificateReceived(senders(client), past.nextSound(client), at),
    );
    await receive(db, keyring, received);
    for (const { id } of received) {
      if (fault === undefined) await endWithWorkers(db, id);
      else await failUntilParked(db, id, fault);
    }
    count += transmissions;
  }
  return count;
}

async function failUntilParked(db: Db, id: string, fault: Error): Promise<void> {
  const reason = failureReason(fault);
  for (const retryInSeconds of [...RETRY_PAUSES_SECONDS.map(() => 0), undefined]) {
    const { fence } = await claimOnly(db, id, LEASE_SECONDS);
    await releaseForRetry(db, { id, fence, reason, retryInSeconds });
  }
}

/** Leaves the transmission as after so many claims by workers that ended before a result. */
async function endWithWorkers(db: Db, id: string): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) await claimOnly(db, id, 0);
}

const LEASE_SECONDS = 60;

async function claimOnly(db: Db, id: string, leaseSeconds: number): Promise<ClaimedTransmission> {
  const { claimed } = await claim(db, id, { leaseSeconds, transmissionsMax: 0, vehiclesMax: 0 });
  const [one] = claimed;
  if (one === undefined) throw new Error('another worker has claimed the transmission');
  return one;
}
