import { IDENTIFIER_KINDS, type IdentifierKind } from '../../../../shared/contract/enums.ts';
import type {
  TransmissionBody,
  VehicleBody,
} from '../../../../shared/contract/machine/transmission.ts';
import { addDays } from '../../../../shared/domain/calendar.ts';
import { makeBody, makePlainVehicle, today } from '../../../env/api/bodies.ts';
import type { Random } from '../../random.ts';
import type { ClientName } from '../../world.ts';

/** A certificate of one insurer, and the index of the contested vehicle on it. */
export interface Racer {
  readonly clientName: ClientName;
  readonly insurerName: string;
  readonly body: TransmissionBody;
  readonly place: number;
}

/** Certificates that all contain one vehicle and share a day, so that only one of them may be registered (D9, D10). */
export interface Contest {
  readonly kind: 'shared names' | 'known vehicle' | 'former names';
  /** Registered before the race, one after the other. They have expired, so they block nothing. */
  readonly earlier: readonly TransmissionBody[];
  readonly racers: readonly Racer[];
}

export interface RacingInsurer {
  readonly clientName: ClientName;
  readonly code: string;
  readonly name: string;
}

const OWN_INSURERS = 13;

/** Sixteen insurers: those of the demonstration and OWN_INSURERS more. */
export const RACING_INSURERS: readonly RacingInsurer[] = [
  { clientName: 'alpha', code: 'INS-ALPHA', name: 'Alpha Insurance' },
  { clientName: 'bravo', code: 'INS-BRAVO', name: 'Bravo Insurance' },
  { clientName: 'charlie', code: 'INS-CHARLIE', name: 'Charlie Insurance' },
  ...Array.from({ length: OWN_INSURERS }, (_, index): RacingInsurer => {
    const name = `insurer-${String(index + 1).padStart(2, '0')}` as const;
    return { clientName: name, code: `INS-${name.toUpperCase()}`, name };
  }),
];

const RACERS_MIN = 2;

export function makeContest(random: Random): Contest {
  const count = RACERS_MIN + random.below(RACING_INSURERS.length - RACERS_MIN + 1);
  const kind = random.pick(['shared names', 'known vehicle', 'former names'] as const);
  const vehicle = makePlainVehicle();
  switch (kind) {
    case 'shared names':
      return { kind, earlier: [], racers: race(random, drawSharing(random, count), [vehicle]) };
    case 'known vehicle':
      return {
        kind,
        earlier: [registeredBefore(vehicle, -200, -101)],
        racers: race(random, drawAny(random, count), [vehicle]),
      };
    case 'former names': {
      const renamed = makePlainVehicle({ chassisNumber: vehicle.chassisNumber ?? null });
      return {
        kind,
        earlier: [registeredBefore(vehicle, -200, -151), registeredBefore(renamed, -150, -101)],
        racers: race(random, drawAny(random, count), [vehicle, renamed]),
      };
    }
    default:
      return kind satisfies never;
  }
}

type Kinds = readonly IdentifierKind[];

/** Sets of identifier kinds of which each two share a kind, but not all need to share the same one. */
function drawSharing(random: Random, count: number): Kinds[] {
  const drawn: Kinds[] = [];
  while (drawn.length < count) {
    const next = drawKinds(random);
    if (drawn.every((one) => one.some((kind) => next.includes(kind)))) drawn.push(next);
    else drawn.push(IDENTIFIER_KINDS);
  }
  return drawn;
}

/** For a vehicle that is registered with all identifiers, any one of them is enough. */
function drawAny(random: Random, count: number): Kinds[] {
  return Array.from({ length: count }, () => drawKinds(random));
}

function drawKinds(random: Random): Kinds {
  const kinds = IDENTIFIER_KINDS.filter(() => random.percent(40));
  return kinds.length > 0 ? kinds : [random.pick(IDENTIFIER_KINDS)];
}

/** Assigns insurers at random. Each takes identifiers from any of `names`, the identifiers that the vehicle has had. */
function race(random: Random, sets: readonly Kinds[], names: readonly VehicleBody[]): Racer[] {
  const insurers = [...RACING_INSURERS];
  return sets.map((kinds): Racer => {
    const [insurer] = insurers.splice(random.below(insurers.length), 1);
    if (insurer === undefined) throw new Error('more racers than insurers');
    const called = Object.fromEntries(kinds.map((kind) => [kind, random.pick(names)[kind]]));
    const others = Array.from({ length: random.percent(25) ? 2 : 0 }, () => makePlainVehicle());
    const place = random.below(others.length + 1);
    // All of them include today, and no certificate covers only one day.
    const from = -random.below(30);
    const body = makeBody({
      issuingInsurerCode: insurer.code,
      policy: { issuanceDate: addDays(today(), from) },
      certificate: period(from, 1 + random.below(300)),
      vehicles: others.toSpliced(place, 0, makePlainVehicle(called)),
    });
    return { clientName: insurer.clientName, insurerName: insurer.name, body, place };
  });
}

function registeredBefore(vehicle: VehicleBody, from: number, to: number): TransmissionBody {
  return makeBody({
    policy: { issuanceDate: addDays(today(), from) },
    certificate: period(from, to),
    vehicles: [vehicle],
  });
}

function period(from: number, to: number): TransmissionBody['certificate'] {
  return { effectiveDate: addDays(today(), from), expirationDate: addDays(today(), to) };
}
