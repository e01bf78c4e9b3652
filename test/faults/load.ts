import type { TransmissionBody, VehicleBody } from '../../shared/contract/machine/transmission.ts';
import { addDays } from '../../shared/domain/calendar.ts';
import { makeBody, makePlainVehicle, makeVehicle, today, uniqueNumber } from '../env/api/bodies.ts';
import { type Book, type Courier, deliver, type Entry, follow, type Submission } from './book.ts';
import type { Random } from './random.ts';
import { CLIENTS, type DemoClientName } from './world.ts';

/** Certificates, each with its amendments and its cancellation, on their way through the API. */
export interface Load {
  readonly book: Book;
  /** Resolves when this share of the certificates is taken over. */
  until(share: number): Promise<void>;
  /** Resolves when everything is settled as far as the clients can learn. */
  readonly done: Promise<void>;
}

const DEEDS = ['amend-remarks', 'amend-days', 'add-vehicle', 'cancel'] as const;
type Deed = (typeof DEEDS)[number];

interface Story {
  readonly clientName: DemoClientName;
  readonly body: TransmissionBody;
  readonly waitSeconds: number;
  /** The same request at the same time. */
  readonly copies: number;
  readonly deeds: readonly Deed[];
}

/** Above what a batch of a worker holds, so that many are in flight. */
const SENDERS = 64;
const ISSUERS: Record<DemoClientName, string> = {
  alpha: 'INS-ALPHA',
  bravo: 'INS-BRAVO',
  charlie: 'INS-CHARLIE',
  'mgt-one': 'INS-BRAVO',
};

export function startLoad(courier: Courier, random: Random, certificates: number): Load {
  const book: Book = { entries: [], flaws: [] };
  const stories = makeStories(random, certificates);
  let taken = 0;
  const marks: { readonly count: number; readonly reached: () => void }[] = [];
  const onTaken = (): void => {
    taken += 1;
    for (const { count, reached } of marks) if (taken >= count) reached();
  };
  const left = stories.values();
  const send = async (): Promise<void> => {
    for (const story of left) await tell(courier, book, story, onTaken);
  };
  const done = Promise.all(Array.from({ length: SENDERS }, send)).then(() => undefined);
  // Awaited later, when the fault is over.
  done.catch(() => undefined);
  return {
    book,
    until: (share) =>
      Promise.race([
        new Promise<void>((reached) => {
          const count = Math.ceil(share * certificates);
          if (taken >= count) reached();
          else marks.push({ count, reached });
        }),
        done,
      ]),
    done,
  };
}

async function tell(
  courier: Courier,
  book: Book,
  { clientName, body, waitSeconds, copies, deeds }: Story,
  onTaken: () => void,
): Promise<void> {
  const entry: Entry = { clientName, submission: { kind: 'CREATE', body } };
  book.entries.push(entry);
  const copied = Array.from({ length: copies }, () => deliver(courier, book, entry, waitSeconds));
  const isTaken = (await Promise.all(copied)).some(Boolean);
  onTaken();
  if (!isTaken) return;
  const target = (await follow(courier, book, entry))?.registryReference;
  if (typeof target !== 'string') return;
  for (const deed of deeds) {
    const later: Entry = { clientName, submission: submissionOf(deed, target, body) };
    book.entries.push(later);
    // The next one does not wait for its outcome: the order of receipt counts.
    if (!(await deliver(courier, book, later, 0))) return;
  }
}

function submissionOf(deed: Deed, target: string, body: TransmissionBody): Submission {
  const externalTransactionId = uniqueNumber('FAULT');
  if (deed === 'cancel') {
    const cancellation = {
      externalTransactionId,
      policyNumber: body.policy.policyNumber ?? '',
      cocNumber: body.certificate.cocNumber ?? '',
      cancellationEffectiveDate: today(),
      reasonCode: 'OPERATOR_REQUEST',
      reasonText: 'sold',
    };
    return { kind: 'CANCEL', target, body: cancellation };
  }
  const changes = {
    'amend-remarks': { policy: { remarks: externalTransactionId } },
    'amend-days': { certificate: { expirationDate: addDays(today(), 300) } },
    'add-vehicle': { vehicles: { add: [makePlainVehicle()] } },
  }[deed];
  return { kind: 'AMEND', target, body: { externalTransactionId, reason: 'change', changes } };
}

/** Each third shares a vehicle, or one identifier of it, with an earlier one of whatever insurer; some are flawed, some flagged. */
function makeStories(random: Random, certificates: number): Story[] {
  const known: VehicleBody[] = [];
  return Array.from({ length: certificates }, () => {
    const clientName = random.pick(CLIENTS);
    const own = random.percent(12) ? makeVehicle() : makePlainVehicle();
    const contested = random.percent(33) && known.length > 0 ? [contest(random, known)] : [];
    known.push(own);
    return {
      clientName,
      body: makeBody({
        externalTransactionId: uniqueNumber('FAULT'),
        issuingInsurerCode: ISSUERS[clientName],
        ...(clientName === 'mgt-one' ? { poolCode: 'POOL-NORTH' } : {}),
        vehicles: [...contested, own],
        ...(random.percent(7) ? { operator: { name: null } } : {}),
      }),
      waitSeconds: random.percent(60) ? 0 : 10,
      copies: random.percent(15) ? 3 : 1,
      deeds: random.percent(40)
        ? Array.from({ length: 1 + random.below(3) }, () => random.pick(DEEDS))
        : [],
    };
  });
}

function contest(random: Random, known: readonly VehicleBody[]): VehicleBody {
  const vehicle = random.pick(known.slice(-8));
  if (random.percent(50)) return vehicle;
  const kept = random.pick(['plateNumber', 'engineNumber', 'chassisNumber'] as const);
  return makePlainVehicle({ [kept]: vehicle[kept] });
}
