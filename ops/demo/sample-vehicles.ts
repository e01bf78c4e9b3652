import type { Denomination, Region, VehicleType } from '../../shared/contract/enums.ts';
import type { VehicleBody } from '../../shared/contract/machine/transmission.ts';
import { DEMO_REFERENCE_REGION, DEMO_REFERENCE_VEHICLES } from './demonstration.ts';

export interface VehicleModel {
  readonly vehicleType: VehicleType;
  readonly denomination: Denomination;
  readonly passengerCapacity: number;
  readonly make: string;
  readonly model: string;
  /** Prefix of the engine number. */
  readonly engineCode: string;
  readonly oldestYear: number;
}

const model = (
  vehicleType: VehicleType,
  denomination: Denomination,
  passengerCapacity: number,
  make: string,
  name: string,
  engineCode: string,
  oldestYear: number,
): VehicleModel => ({
  vehicleType,
  denomination,
  passengerCapacity,
  make,
  model: name,
  engineCode,
  oldestYear,
});

export const MODELS = {
  jeepney: model('JEEPNEY', 'PUJ', 22, 'Sarao', 'Traditional', '4BC2', 1998),
  modernJeepney: model('MODERN_JEEPNEY', 'PUJ', 26, 'Isuzu', 'QKR77', '4JH1', 2019),
  bus: model('BUS', 'PUB', 49, 'Hino', 'RM2P', 'P11C', 2012),
  minibus: model('MINIBUS', 'PUB', 30, 'Fuso', 'Rosa', '4M50', 2014),
  taxi: model('TAXI', 'TX', 4, 'Toyota', 'Vios', '1NR', 2016),
  tnvs: model('TNVS', 'TNVS', 4, 'Mitsubishi', 'Mirage G4', '3A92', 2018),
  express: model('UV_EXPRESS', 'UVE', 18, 'Toyota', 'HiAce', '1KD', 2013),
  filcab: model('FILCAB', 'FC', 11, 'Suzuki', 'Multicab', 'F6A', 2005),
  school: model('SCHOOL_SERVICE', 'SS', 14, 'Nissan', 'Urvan', 'YD25', 2015),
  tourist: model('TOURIST_TRANSPORT', 'TT', 29, 'Hyundai', 'County', 'D4DB', 2015),
  motorcycle: model('MOTORCYCLE_TAXI', 'MCT', 1, 'Honda', 'Click 125', 'KF47', 2020),
} as const;

/** Upper bound on the vehicles of a run, so that two runs never share an identifier. */
export const VEHICLES_PER_RUN_MAX = 1_000;
const PLATE_NUMBERS = 10_000;
const YEARS = 5;

/** A vehicle that is unique to this run and serial. */
export function makeVehicle(
  run: number,
  serial: number,
  model: VehicleModel,
  region: Region,
): VehicleBody {
  if (serial >= VEHICLES_PER_RUN_MAX) throw new RangeError('The run has too many vehicles.');
  return {
    plateNumber: plateOf(run, serial),
    mvFileNumber: `14${pad(run, 6)}${pad(serial, 7)}`,
    engineNumber: `${model.engineCode}-${pad(run, 5)}${pad(serial, 4)}`,
    chassisNumber: `PHX${model.engineCode}${pad(run, 5)}${pad(serial, 5)}`,
    ...attributesOf(model, serial),
    region,
  };
}

/** AAA 1000, AAA 1001 … */
export function plateOf(run: number, serial: number): string {
  const position = run * VEHICLES_PER_RUN_MAX + serial;
  const letters = Math.floor(position / PLATE_NUMBERS);
  const [first, second, third] = [
    Math.floor(letters / 676) % 26,
    Math.floor(letters / 26) % 26,
    letters % 26,
  ];
  return `${letterAt(first)}${letterAt(second)}${letterAt(third)} ${pad(position % PLATE_NUMBERS, 4)}`;
}

/** A vehicle of the reference data; `number` is part of its plate number, 1001 to 1100. */
export function makeReferenceVehicle(number: number, model: VehicleModel): VehicleBody {
  const row = DEMO_REFERENCE_VEHICLES.find(({ plateNumber }) =>
    plateNumber.endsWith(String(number)),
  );
  if (row === undefined) throw new RangeError(`There is no reference vehicle ${number}.`);
  return {
    ...row,
    ...attributesOf(model, number),
    region: DEMO_REFERENCE_REGION,
  };
}

function attributesOf(
  { vehicleType, denomination, passengerCapacity, make, model, oldestYear }: VehicleModel,
  serial: number,
): VehicleBody {
  const yearModel = oldestYear + (serial % YEARS);
  return { vehicleType, denomination, passengerCapacity, make, model, yearModel };
}

function letterAt(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index);
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
