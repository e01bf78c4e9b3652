import { REFERENCE_COLUMNS } from '../../../shared/contract/staff/reference.ts';
import { DEMO_REFERENCE_REGION, DEMO_REFERENCE_VEHICLES } from '../demonstration.ts';

const HEADING = REFERENCE_COLUMNS.join(',');

/** The region of the demonstration with the vehicles that it has already, in the order of the columns. */
const SEEDED_LINES = DEMO_REFERENCE_VEHICLES.map(
  ({ plateNumber, mvFileNumber, engineNumber, chassisNumber }) =>
    [DEMO_REFERENCE_REGION, plateNumber, mvFileNumber, engineNumber, chassisNumber].join(','),
);

const CAR_VEHICLES = 40;

/** Vehicles of a region without reference data, some with typical faults: an import refuses all of them. */
const FAULTY_LINES = Array.from({ length: CAR_VEHICLES }, (_, index) => {
  const number = 2_001 + index;
  const [plate, mvFile] = [`CAR${number}`, `14020000000${number}`];
  const [engine, chassis] = [`ENG${number}CAR`, `CHS${number}CAR`];
  switch (index) {
    case 6:
      return `CAR,${plate},${mvFile},${engine}`;
    case 11:
      return `CAR,CAR2010,${mvFile},${engine},${chassis}`;
    case 17:
      return 'CAR,,,,';
    case 23:
      return `CAR,NO PLATE YET,${mvFile},${engine},${chassis}`;
    case 31:
      return `CAR,${plate},${mvFile},${engine},CHS/${number}/CAR!`;
    default:
      return `CAR,${plate},${mvFile},${engine},${chassis}`;
  }
});

/** A line that is cut off names no region, so it stands in a file of its own: it would refuse every region. */
const CUT_OFF = 6;

/** NCR is replaced by the same vehicles; CAR is refused because of its errors. */
export const PARTLY_REFUSED_FILE = file([
  ...SEEDED_LINES,
  ...FAULTY_LINES.filter((_, index) => index !== CUT_OFF),
]);

/** Nothing is replaced, because one line names no region. */
export const REFUSED_FILE = file(FAULTY_LINES);

function file(lines: readonly string[]): Buffer {
  return Buffer.from(`${[HEADING, ...lines].join('\n')}\n`);
}
