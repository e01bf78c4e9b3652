import type { TransmissionBody, VehicleBody } from '../../shared/contract/machine/transmission.ts';
import { addDays } from '../../shared/domain/calendar.ts';
import { makeBody, makePlainVehicle, makeVehicle, today, uniqueNumber } from '../env/api/bodies.ts';
import type { Random } from './random.ts';
import {
  type ClientSource,
  deliver,
  type Entry,
  follow,
  type RoundReport,
  type Submission,
} from './round-report.ts';
import { CLIENTS, type DemoClientName } from './world.ts';

/** Certificates with their amendments and cancellations, which are sent through the API. */
export interface Load {
  readonly report: RoundReport;
  /** Resolves when the registry has recorded this share of the certificates. */
  until(share: number): Promise<void>;
  /** Resolves when the clients know all outcomes, or have stopped waiting. */
  readonly done: Promise<void>;
}

const FOLLOW_UPS = ['amend-remarks', 'amend-days', 'add-vehicle', 'cancel'] as const;
type FollowUp = (typeof FOLLOW_UPS)[number];

interface Plan {
  readonly clientName: DemoClientName;
  readonly body: TransmissionBody;
  readonly waitSeconds: number;
  /** Number of times that the request is sent at the same time. */
  readonly copies: number;
  readonly followUps: readonly FollowUp[];
}

/** More than a worker's batch, so that many transmissions are in flight. */
const SENDERS = 64;
const ISSUERS: Record<DemoClientName, string> = {
  alpha: 'INS-ALPHA',
  bravo: 'INS-BRAVO',
  charlie: 'INS-CHARLIE',
  'mgt-one': 'INS-BRAVO',
};

export function startLoad(clients: ClientSource, random: Random, certificates: number): Load {
  const report: RoundReport = { entries: [], problems: [] };
  const plans = makePlans(random, certificates);
  let recorded = 0;
  const marks: { readonly count: number; readonly reached: () => void }[] = [];
  const onRecorded = (): void => {
    recorded += 1;
    for (const { count, reached } of marks) if (recorded >= count) reached();
  };
  const left = plans.values();
  const send = async (): Promise<void> => {
    for (const plan of left) await runPlan(clients, report, plan, onRecorded);
  };
  const done = Promise.all(Array.from({ length: SENDERS }, send)).then(() => undefined);
  // Callers await it after the fault; until then a rejection must not count as unhandled.
  done.catch(() => undefined);
  return {
    report,
    until: (share) =>
      Promise.race([
        new Promise<void>((reached) => {
          const count = Math.ceil(share * certificates);
          if (recorded >= count) reached();
          else marks.push({ count, reached });
        }),
        done,
      ]),
    done,
  };
}

async function runPlan(
  clients: ClientSource,
  report: RoundReport,
  { clientName, body, waitSeconds, copies, followUps }: Plan,
  onRecorded: () => void,
): Promise<void> {
  const entry: Entry = { clientName, submission: { kind: 'CREATE', body } };
  report.entries.push(entry);
  const copied = Array.from({ length: copies }, () => deliver(clients, report, entry, waitSeconds));
  const isRecorded = (await Promise.all(copied)).some(Boolean);
  onRecorded();
  if (!isRecorded) return;
  const target = (await follow(clients, report, entry))?.registryReference;
  if (typeof target !== 'string') return;
  for (const followUp of followUps) {
    const later: Entry = { clientName, submission: submissionOf(followUp, target, body) };
    report.entries.push(later);
    // The next follow-up does not wait for the outcome: a record's transmissions are processed in order of receipt.
    if (!(await deliver(clients, report, later, 0))) return;
  }
}

function submissionOf(followUp: FollowUp, target: string, body: TransmissionBody): Submission {
  const externalTransactionId = uniqueNumber('FAULT');
  if (followUp === 'cancel') {
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
  }[followUp];
  return { kind: 'AMEND', target, body: { externalTransactionId, reason: 'change', changes } };
}

/** A third of the certificates share a vehicle, or one of its identifiers, with an earlier one of any insurer. Some are invalid, some are flagged. */
function makePlans(random: Random, certificates: number): Plan[] {
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
      followUps: random.percent(40)
        ? Array.from({ length: 1 + random.below(3) }, () => random.pick(FOLLOW_UPS))
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
