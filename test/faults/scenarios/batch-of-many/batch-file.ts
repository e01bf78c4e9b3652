import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeBody, makePlainVehicle, makeVehicle } from '../../../env/api/bodies.ts';

const REJECTED_EVERY = 25;
const FLAGGED_EVERY = 40;

/** Writes so many certificates of INS-ALPHA as NDJSON. Some are rejected and some are flagged. */
export async function writeBatchFile(file: string, count: number): Promise<void> {
  await pipeline(Readable.from(linesOf(count)), createWriteStream(file));
}

function* linesOf(count: number): Generator<string> {
  for (let index = 1; index <= count; index += 1) {
    const vehicle =
      index % REJECTED_EVERY === 0
        ? makePlainVehicle({ chassisNumber: null })
        : index % FLAGGED_EVERY === 1
          ? makeVehicle()
          : makePlainVehicle();
    yield `${JSON.stringify(makeBody({ vehicles: [vehicle] }))}\n`;
  }
}
