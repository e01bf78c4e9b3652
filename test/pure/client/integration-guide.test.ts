import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBatchSource } from '../../../client/cli/batch-source.ts';
import { COLUMNS } from '../../../client/cli/certificate-rows.ts';
import { DEMO_REFERENCE_REGION, DEMO_REFERENCE_VEHICLES } from '../../../ops/demo/demonstration.ts';
import { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { readSubmission } from '../../../shared/domain/registration/submission.ts';
import type { Facts } from '../../../shared/domain/rules/facts.ts';
import { judge } from '../../../shared/domain/rules/judge.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { makeVehicle } from '../../env/api/bodies.ts';
import { makeFacts, makeSubmission } from '../domain/facts-and-submissions.ts';

const DOCS = join(findProjectRoot(), 'docs');
const GUIDE = readFileSync(join(DOCS, 'integrate.md'), 'utf8');

/** The registry of the demonstration, a day after the example's certificates were issued. */
const FACTS: Facts = makeFacts({
  today: '2026-11-02',
  referenceRegions: [DEMO_REFERENCE_REGION],
  referenceVehicles: DEMO_REFERENCE_VEHICLES.map((row) => ({ id: row.plateNumber, ...row })),
});

describe('docs/example-batch.csv', () => {
  it('becomes of what the guide says', async () => {
    const outcomes: unknown[] = [];
    for await (const body of makeBatchSource(join(DOCS, 'example-batch.csv'))()) {
      const { status, findings } = judge(readSubmission(TransmissionBody.parse(body)), FACTS);
      outcomes.push([body.certificate.cocNumber, status, findings.map(({ code }) => code)]);
    }
    expect(outcomes).toEqual([
      ['EXAMPLE-COC-1', 'ACCEPTED', ['REFERENCE_MATCHED', 'REFERENCE_MATCHED']],
      ['EXAMPLE-COC-2', 'FLAGGED', ['REFERENCE_NO_MATCH']],
      ['EXAMPLE-COC-3', 'ACCEPTED', ['REFERENCE_DATA_UNAVAILABLE']],
    ]);
  });
});

describe('docs/integrate.md', () => {
  const columnRows = [...GUIDE.matchAll(/^\| (`[^|]+) \| (yes|no) \|$/gm)].map(
    ([, names = '', required]) => ({ names: names.replaceAll('`', '').split(', '), required }),
  );

  it('lists every column of a CSV file', () => {
    expect(columnRows.flatMap(({ names }) => names).sort()).toEqual([...COLUMNS].sort());
  });

  it('says of each column whether the registry demands it', () => {
    const empty = readSubmission({
      externalTransactionId: 'EMPTY-0001',
      policy: {},
      certificate: {},
      operator: {},
      vehicles: [{}],
    });
    const demanded = judge(empty, FACTS)
      .findings.filter(({ code }) => code === 'REQUIRED')
      .map(({ field }) => (field ?? '').replace('vehicles[0]', 'vehicle'));
    const listed = columnRows.filter(({ required }) => required === 'yes');
    expect(listed.flatMap(({ names }) => names).sort()).toEqual(demanded.sort());
  });

  it('names the first, the second and the last vehicle of the demonstration', () => {
    const shown = [0, 1, DEMO_REFERENCE_VEHICLES.length - 1].map(
      (at) => DEMO_REFERENCE_VEHICLES[at],
    );
    for (const kind of ['plateNumber', 'mvFileNumber', 'engineNumber', 'chassisNumber'] as const) {
      const [first, second, last] = shown.map((row) => row?.[kind]);
      expect(GUIDE).toContain(`| \`${kind}\` | ${first} | ${second} | | ${last} |`);
    }
  });

  const [row, other] = DEMO_REFERENCE_VEHICLES;
  it.each([
    ['all four identifiers of one row', row, 'ACCEPTED', 'REFERENCE_MATCHED'],
    [
      'one row with one identifier changed',
      { ...row, engineNumber: 'ENG9999NCR' },
      'ACCEPTED',
      'REFERENCE_PARTIAL_MATCH',
    ],
    [
      'plate and MV file of one row, engine and chassis of another',
      { ...row, engineNumber: other?.engineNumber, chassisNumber: other?.chassisNumber },
      'FLAGGED',
      'REFERENCE_FOR_REVIEW',
    ],
    ['any other vehicle with region NCR', {}, 'FLAGGED', 'REFERENCE_NO_MATCH'],
    ['any vehicle of another region', { region: 'CAR' }, 'ACCEPTED', 'REFERENCE_DATA_UNAVAILABLE'],
  ])('says what becomes of %s', (sent, changes, status, code) => {
    const vehicle = makeVehicle({ region: DEMO_REFERENCE_REGION, ...changes });
    const verdict = judge(makeSubmission({ vehicles: [vehicle] }), FACTS);
    expect([verdict.status, verdict.findings.map((one) => one.code)]).toEqual([status, [code]]);
    expect(GUIDE).toMatch(new RegExp(`^\\| ${sent}.* \\| ${status}, .*${code} \\|$`, 'm'));
  });
});
