import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBatchSource } from '../../../client/cli/input/batch-source.ts';
import { COLUMNS } from '../../../client/cli/input/columns.ts';
import { DEMO_REFERENCE_REGION, DEMO_REFERENCE_VEHICLES } from '../../../ops/demo/demonstration.ts';
import { ENDPOINTS, SIGNED_ERRORS } from '../../../shared/contract/machine/endpoints.ts';
import { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { readSubmission } from '../../../shared/domain/registration/submission.ts';
import type { Facts } from '../../../shared/domain/rules/facts.ts';
import { judge } from '../../../shared/domain/rules/judge.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { LANGUAGES } from '../../clients/languages.ts';
import { makeVehicle } from '../../env/api/bodies.ts';
import { readSnippets } from '../../env/guide/snippets.ts';
import { makeFacts, makeSubmission } from '../domain/facts-and-submissions.ts';

const DOCS = join(findProjectRoot(), 'docs');
const read = (name: string): string => readFileSync(join(DOCS, name), 'utf8');
const GUIDE = read('integrate.md');
const BATCH = read('batch.md');
const SANDBOX = read('sandbox.md');
const GUIDE_LINES_MAX = 330;

/** The registry of the demonstration, a day after the example's certificates were issued. */
const FACTS: Facts = makeFacts({
  today: '2026-11-02',
  referenceRegions: [DEMO_REFERENCE_REGION],
  referenceVehicles: DEMO_REFERENCE_VEHICLES.map((row) => ({ id: row.plateNumber, ...row })),
});

describe('docs/example-batch.csv', () => {
  it('has the outcomes that the guide states', async () => {
    const outcomes: unknown[] = [];
    for await (const { body } of makeBatchSource(join(DOCS, 'example-batch.csv'))()) {
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
  it('is short', () => {
    expect(GUIDE.split('\n').length).toBeLessThanOrEqual(GUIDE_LINES_MAX);
  });

  it('says what to do about every error code of the machine API', () => {
    const codes = Object.values(ENDPOINTS).flatMap(({ errors }) => errors);
    const missing = [...codes, ...SIGNED_ERRORS].filter((code) => !GUIDE.includes(code));
    expect(missing).toEqual([]);
  });
});

describe.each([
  ['docs/integrate.md', ['sh', 'bash']],
  ['docs/sandbox.md', ['ts']],
  ['client/README.md', ['ts', ...LANGUAGES.map(({ fence }) => fence)]],
])('%s', (path, tested) => {
  it('has no block that no test runs', () => {
    const snippets = readSnippets(readFileSync(join(findProjectRoot(), path), 'utf8'));
    const untested = snippets.filter(({ language }) => !tested.includes(language));
    expect(untested).toEqual([]);
  });
});

describe('docs/batch.md', () => {
  const columnRows = [...BATCH.matchAll(/^\| (`[^|]+) \| (yes|no) \|$/gm)].map(
    ([, names = '', required]) => ({ names: names.replaceAll('`', '').split(', '), required }),
  );

  it('lists every column of a CSV file', () => {
    expect(columnRows.flatMap(({ names }) => names).sort()).toEqual([...COLUMNS].sort());
  });

  it('states for each column whether the registry requires it', () => {
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
});

describe('docs/sandbox.md', () => {
  it('names the first, the second and the last vehicle of the demonstration', () => {
    const shown = [0, 1, DEMO_REFERENCE_VEHICLES.length - 1].map(
      (at) => DEMO_REFERENCE_VEHICLES[at],
    );
    for (const kind of ['plateNumber', 'mvFileNumber', 'engineNumber', 'chassisNumber'] as const) {
      const [first, second, last] = shown.map((row) => row?.[kind]);
      expect(SANDBOX).toContain(`| \`${kind}\` | ${first} | ${second} | | ${last} |`);
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
  ])('states the outcome of %s', (sent, changes, status, code) => {
    const vehicle = makeVehicle({ region: DEMO_REFERENCE_REGION, ...changes });
    const verdict = judge(makeSubmission({ vehicles: [vehicle] }), FACTS);
    expect([verdict.status, verdict.findings.map((one) => one.code)]).toEqual([status, [code]]);
    expect(SANDBOX).toMatch(new RegExp(`^\\| ${sent}.* \\| ${status}, .*${code} \\|$`, 'm'));
  });
});
