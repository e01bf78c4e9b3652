import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import { PROVINCES } from '../sample-batch.ts';
import {
  type CertificateMaker,
  type CertificateOptions,
  dayAfterCover,
  makeCertificates,
  type SampleRun,
} from '../sample-certificates.ts';
import { MODELS } from '../sample-vehicles.ts';
import { PAST_DAYS, type SendingClient } from './plan-bursts.ts';

/** Each day of the past has a run number of its own, beyond those that batches claim. */
const FIRST_PAST_RUN = 9_000;

/** A certificate without a fault, and the client that sends it. */
export interface SoundCertificate {
  readonly client: SendingClient;
  readonly body: TransmissionBody;
}

/** Makes the certificates of one day of the past, in the order of receipt. */
export interface PastDay {
  readonly maker: CertificateMaker;
  next(client: SendingClient): TransmissionBody;
  /** A certificate without a fault. */
  nextSound(client: SendingClient): TransmissionBody;
  /** The certificates without a fault so far. */
  readonly sound: readonly SoundCertificate[];
}

export function makePastDay(day: string, daysAgo: number): PastDay {
  const run: SampleRun = { number: FIRST_PAST_RUN + PAST_DAYS - daysAgo, today: day };
  const maker = makeCertificates(run);
  const sound: SoundCertificate[] = [];
  let serial = daysAgo * 5;
  const makeSound = (client: SendingClient) => {
    const body = maker.certificate(soundOptions(maker, client, serial));
    sound.push({ client, body });
    return body;
  };
  return {
    maker,
    sound,
    next: (client) => {
      serial += 1;
      return makeSpecial(maker, client, serial, sound) ?? makeSound(client);
    },
    nextSound: (client) => {
      serial += 1;
      return makeSound(client);
    },
  };
}

type Insurer = Pick<CertificateOptions, 'insurer' | 'poolCode'>;

const INSURERS: Record<SendingClient, Insurer> = {
  alpha: { insurer: 'INS-ALPHA' },
  bravo: { insurer: 'INS-BRAVO' },
  charlie: { insurer: 'INS-CHARLIE' },
  'mgt-one': { insurer: 'INS-BRAVO', poolCode: 'POOL-NORTH' },
};

const MODELS_SENT = Object.values(MODELS);

function soundOptions(
  maker: CertificateMaker,
  client: SendingClient,
  serial: number,
): CertificateOptions {
  const region = client === 'mgt-one' ? 'I' : (PROVINCES[serial % PROVINCES.length] ?? 'III');
  const model = MODELS_SENT[serial % MODELS_SENT.length] ?? MODELS.jeepney;
  const isFleet = serial % 13 === 0;
  return {
    ...INSURERS[client],
    region,
    operatorType: isFleet ? 'COOPERATIVE' : 'INDIVIDUAL',
    vehicles: maker.vehicles(isFleet ? 4 : 1, model, region),
  };
}

/** One certificate in ten or so is rejected or flagged; undefined for the others. */
function makeSpecial(
  maker: CertificateMaker,
  client: SendingClient,
  serial: number,
  sound: readonly SoundCertificate[],
): TransmissionBody | undefined {
  if (serial % 19 === 7) return makeFaulty(maker, client, serial);
  if (serial % 29 === 11) {
    const vehicles = [maker.vehicle(MODELS.taxi, 'NCR')];
    return maker.certificate({ ...INSURERS[client], region: 'NCR', vehicles });
  }
  const [one, other] = sound.slice(-2).map(({ body }) => body);
  if (one === undefined || other === undefined) return undefined;
  if (serial % 31 === 17) return makeIdentifierConflict(maker, client, one, other);
  if (serial % 37 === 5) {
    const { vehicles } = one;
    return maker.certificate({ ...INSURERS[client], region: 'III', vehicles });
  }
  return undefined;
}

type Fault = (body: TransmissionBody) => Partial<TransmissionBody>;

const FAULTS: readonly Fault[] = [
  ({ vehicles }) => ({ vehicles: vehicles.map((one) => ({ ...one, chassisNumber: null })) }),
  ({ certificate }) => ({
    certificate: { ...certificate, expirationDate: addDays(certificate.effectiveDate ?? '', 500) },
  }),
  ({ certificate }) => ({
    certificate: { ...certificate, expirationDate: addDays(certificate.effectiveDate ?? '', -30) },
  }),
  ({ policy }) => ({ policy: { ...policy, coverageType: 'PPAI_DELUXE' } }),
  ({ vehicles }) => ({ vehicles: [...vehicles, ...vehicles] }),
  () => ({ issuingInsurerCode: 'INS-DORMANT' }),
];

function makeFaulty(
  maker: CertificateMaker,
  client: SendingClient,
  serial: number,
): TransmissionBody {
  const vehicles = [maker.vehicle(MODELS.jeepney, 'III')];
  const body = maker.certificate({ ...INSURERS[client], region: 'III', vehicles });
  return { ...body, ...FAULTS[serial % FAULTS.length]?.(body) };
}

/** Plate and MV file of one registered vehicle, engine and chassis of another, after both covers have ended (D10). */
function makeIdentifierConflict(
  maker: CertificateMaker,
  client: SendingClient,
  one: TransmissionBody,
  other: TransmissionBody,
): TransmissionBody {
  const [vehicleOfOne] = one.vehicles;
  const [vehicleOfOther] = other.vehicles;
  const { plateNumber, mvFileNumber } = vehicleOfOne ?? {};
  return maker.certificate({
    ...INSURERS[client],
    region: 'III',
    vehicles: [{ ...vehicleOfOther, plateNumber, mvFileNumber }],
    effectiveDate: dayAfterCover(one),
  });
}
