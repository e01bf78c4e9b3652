import type { Region } from '../../shared/contract/enums.ts';
import {
  type CertificateMaker,
  makeCertificates,
  referenceStart,
  referenceVehicles,
  type SampleRun,
} from './sample-certificates.ts';
import { makeFaults } from './sample-faults.ts';
import { makeFollowUps } from './sample-follow-ups.ts';
import type { Expectation, SampleItem } from './sample-item.ts';
import { MODELS, type VehicleModel } from './sample-vehicles.ts';

const ACCEPTED: Expectation = { status: 'ACCEPTED' };

/**
 * Several hundred certificates as pools and insurers send them, with typical faults. Deterministic. Each item has the outcome
 * that is expected in a registry with the demonstration data and without a run of the same number.
 * The reference vehicles 1001 to 1010 are not used, so that readers can try them.
 * The first item is special: registering it claims the run's number.
 */
export function makeSampleBatch(run: SampleRun): readonly SampleItem[] {
  const maker = makeCertificates(run);
  const sound = [
    ...makeProvincial(maker),
    ...makePooled(maker),
    ...makeMatched(maker),
    ...makeUntidy(maker),
  ];
  return [...sound, ...makeFaults(maker), ...makeFollowUps(maker, sound)];
}

export const PROVINCES = [
  'CAR',
  'I',
  'III',
  'IV-A',
  'V',
  'VI',
  'VII',
  'XI',
] as const satisfies readonly Region[];
const UNCHECKED: Expectation = { ...ACCEPTED, findings: ['REFERENCE_DATA_UNAVAILABLE'] };

/** Only NCR has reference data. For other regions level 4 reports that and accepts the vehicle (D21). */
function makeProvincial(maker: CertificateMaker): SampleItem[] {
  const one = (
    kind: string,
    client: string,
    insurer: string,
    count: number,
    model: VehicleModel,
    vehicles = 1,
  ) =>
    Array.from({ length: count }, (_, index): SampleItem => {
      const region = PROVINCES[index % PROVINCES.length] ?? 'CAR';
      const operatorType = vehicles === 1 ? 'INDIVIDUAL' : 'COOPERATIVE';
      const body = maker.certificate({
        insurer,
        region,
        operatorType,
        vehicles: maker.vehicles(vehicles, model, region),
      });
      return { kind, client, wave: 1, body, expected: UNCHECKED };
    });
  return [
    ...one('Jeepneys in the provinces', 'alpha', 'INS-ALPHA', 48, MODELS.jeepney),
    ...one('Jeepney cooperatives, 5 each', 'bravo', 'INS-BRAVO', 24, MODELS.modernJeepney, 5),
    ...one('Provincial buses, 2 each', 'charlie', 'INS-CHARLIE', 24, MODELS.bus, 2),
    ...one('UV Express', 'alpha', 'INS-ALPHA', 16, MODELS.express),
    ...one('School service', 'bravo', 'INS-BRAVO', 8, MODELS.school),
    ...one('Tourist transport', 'charlie', 'INS-CHARLIE', 8, MODELS.tourist),
    ...one('Motorcycle taxis', 'alpha', 'INS-ALPHA', 16, MODELS.motorcycle),
  ];
}

/** Certificates that the management company and the lead insurer transmit for members (api.md, "Machine API", 8). */
function makePooled(maker: CertificateMaker): SampleItem[] {
  const one = (kind: string, client: string, insurer: string, count: number, model: VehicleModel) =>
    Array.from({ length: count }, (): SampleItem => {
      const body = maker.certificate({
        insurer,
        poolCode: 'POOL-NORTH',
        region: 'I',
        vehicles: [maker.vehicle(model, 'I')],
      });
      return { kind, client, wave: 1, body, expected: UNCHECKED };
    });
  return [
    ...one('POOL-NORTH, by its manager', 'mgt-one', 'INS-BRAVO', 40, MODELS.filcab),
    ...one('POOL-NORTH, by its lead insurer', 'alpha', 'INS-BRAVO', 12, MODELS.minibus),
  ];
}

function makeMatched(maker: CertificateMaker): SampleItem[] {
  const expected: Expectation = { ...ACCEPTED, findings: ['REFERENCE_MATCHED'] };
  const single = (
    kind: string,
    client: string,
    insurer: string,
    first: number,
    last: number,
    model: VehicleModel,
  ) =>
    referenceVehicles(first, last, model).map((vehicle): SampleItem => {
      const body = maker.certificate({
        insurer,
        region: 'NCR',
        vehicles: [vehicle],
        effectiveDate: referenceStart(maker.run),
      });
      return { kind, client, wave: 1, body, expected };
    });
  const fleet: SampleItem = {
    kind: 'Bus fleet, 40 in one certificate',
    client: 'charlie',
    wave: 1,
    body: maker.certificate({
      insurer: 'INS-CHARLIE',
      region: 'NCR',
      operatorType: 'CORPORATION',
      vehicles: referenceVehicles(1041, 1080, MODELS.bus),
      effectiveDate: referenceStart(maker.run),
    }),
    expected,
  };
  return [
    ...single('City buses on file', 'alpha', 'INS-ALPHA', 1011, 1030, MODELS.bus),
    ...single('Taxis on file', 'bravo', 'INS-BRAVO', 1031, 1040, MODELS.taxi),
    fleet,
  ];
}

/** Spelling that the registry normalizes, and members that it does not know. */
function makeUntidy(maker: CertificateMaker): SampleItem[] {
  const spelled = Array.from({ length: 6 }, (): SampleItem => {
    const { plateNumber, chassisNumber, ...rest } = maker.vehicle(MODELS.jeepney, 'VI');
    const vehicle = {
      ...rest,
      plateNumber: ` ${plateNumber?.toLowerCase().replace(' ', '-')} `,
      chassisNumber: chassisNumber?.replace('PHX', 'phx-'),
    };
    const body = maker.certificate({ insurer: 'INS-ALPHA', region: 'VI', vehicles: [vehicle] });
    return {
      kind: 'Identifiers as people write them',
      client: 'alpha',
      wave: 1,
      body,
      expected: ACCEPTED,
    };
  });
  const unknown = Array.from({ length: 4 }, (): SampleItem => {
    const vehicle = { ...maker.vehicle(MODELS.tnvs, 'VII'), colour: 'white' };
    const body = maker.certificate({ insurer: 'INS-BRAVO', region: 'VII', vehicles: [vehicle] });
    return {
      kind: 'A member that is not known',
      client: 'bravo',
      wave: 1,
      body,
      expected: { ...ACCEPTED, findings: ['UNKNOWN_FIELD'] },
    };
  });
  return [...spelled, ...unknown];
}
