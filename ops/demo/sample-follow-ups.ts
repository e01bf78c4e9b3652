import type { TransmissionBody } from '../../shared/contract/machine/transmission.ts';
import { type CertificateMaker, dayAfterCover } from './sample-certificates.ts';
import type { SampleItem } from './sample-item.ts';
import { MODELS } from './sample-vehicles.ts';

/** Items that require the registered certificates of the first wave. */
export function makeFollowUps(maker: CertificateMaker, sound: readonly SampleItem[]): SampleItem[] {
  // Each follow-up uses different certificates, so that none changes the expected outcome of another.
  const [jeepneys, others] = [
    sound.filter(isJeepney),
    sound.filter(({ kind }) => kind === 'UV Express'),
  ];
  const take = (count: number) => jeepneys.splice(0, count);
  return [
    ...makeRenewals(maker, take(8)),
    ...makeInsuredTwice(maker, take(8)),
    ...makeDuplicates(maker, take(5)),
    ...makeOtherVehicles(maker, take(4)),
    ...makeReplays(take(6)),
    ...makeReusedKeys(take(3)),
    ...makeIdentifierConflicts(maker, others.slice(0, 6)),
  ];
}

function isJeepney({ kind }: SampleItem): boolean {
  return kind === 'Jeepneys in the provinces';
}

function makeRenewals(maker: CertificateMaker, registered: readonly SampleItem[]): SampleItem[] {
  return registered.map(({ body }) => ({
    kind: 'Renewal with another insurer',
    client: 'bravo',
    wave: 2,
    body: maker.certificate({
      insurer: 'INS-BRAVO',
      region: 'III',
      vehicles: body.vehicles,
      effectiveDate: dayAfterCover(body),
    }),
    expected: { status: 'ACCEPTED' },
  }));
}

function makeInsuredTwice(
  maker: CertificateMaker,
  registered: readonly SampleItem[],
): SampleItem[] {
  return registered.map(({ body }) => ({
    kind: 'Vehicle insured by two insurers',
    client: 'charlie',
    wave: 2,
    body: maker.certificate({ insurer: 'INS-CHARLIE', region: 'III', vehicles: body.vehicles }),
    expected: {
      status: 'REJECTED',
      code: 'VEHICLE_ALREADY_INSURED',
      findings: ['VEHICLE_ALREADY_INSURED'],
    },
  }));
}

function makeDuplicates(maker: CertificateMaker, registered: readonly SampleItem[]): SampleItem[] {
  return registered.map(({ body, client }) => ({
    kind: 'Certificate again under a new id',
    client,
    wave: 2,
    body: { ...body, externalTransactionId: maker.id() },
    expected: {
      status: 'REJECTED',
      code: 'DUPLICATE_TRANSMISSION',
      findings: ['DUPLICATE_TRANSMISSION'],
    },
  }));
}

function makeOtherVehicles(
  maker: CertificateMaker,
  registered: readonly SampleItem[],
): SampleItem[] {
  return registered.map(({ body, client }) => ({
    kind: 'Certificate number taken',
    client,
    wave: 2,
    body: {
      ...body,
      externalTransactionId: maker.id(),
      vehicles: [maker.vehicle(MODELS.jeepney, 'III')],
    },
    expected: {
      status: 'REJECTED',
      code: 'COC_ALREADY_REGISTERED',
      findings: ['COC_ALREADY_REGISTERED'],
    },
  }));
}

function makeReplays(registered: readonly SampleItem[]): SampleItem[] {
  return registered.map(({ body, client }) => ({
    kind: 'The same request once more',
    client,
    wave: 2,
    body,
    expected: { status: 'ACCEPTED', isReplay: true },
  }));
}

function makeReusedKeys(registered: readonly SampleItem[]): SampleItem[] {
  return registered.map(({ body, client }) => ({
    kind: 'Another certificate, used id',
    client,
    wave: 2,
    body: { ...body, policy: { ...body.policy, remarks: 'Changed after it was sent.' } },
    expected: { status: 'REFUSED', code: 'IDEMPOTENCY_KEY_REUSED' },
  }));
}

/** Plate and MV file of one registered vehicle, engine and chassis of the other, after both covers have ended (D10). */
function makeIdentifierConflicts(
  maker: CertificateMaker,
  registered: readonly SampleItem[],
): SampleItem[] {
  return pairs(registered).map(([one, other]) => {
    const [vehicleOfOne] = one.vehicles;
    const [vehicleOfOther] = other.vehicles;
    const vehicle = {
      ...vehicleOfOther,
      plateNumber: vehicleOfOne?.plateNumber,
      mvFileNumber: vehicleOfOne?.mvFileNumber,
    };
    return {
      kind: 'Identifiers of two vehicles',
      client: 'charlie',
      wave: 2,
      body: maker.certificate({
        insurer: 'INS-CHARLIE',
        region: 'III',
        vehicles: [vehicle],
        effectiveDate: dayAfterCover(one),
      }),
      expected: { status: 'FLAGGED', flag: 'IDENTIFIER_CONFLICT' },
    };
  });
}

function pairs(items: readonly SampleItem[]): (readonly [TransmissionBody, TransmissionBody])[] {
  return items.flatMap((item, index) => {
    const next = items[index + 1];
    return index % 2 === 0 && next !== undefined ? [[item.body, next.body] as const] : [];
  });
}
