import { readFileSync } from 'node:fs';
import { makeBatchSource } from '../../../client/cli/batch-source.ts';
import { COLUMNS } from '../../../client/cli/certificate-rows.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { BODY_EXAMPLES } from '../../../shared/contract/openapi/body-examples.ts';
import { acknowledge, refuse } from './fake-registry.ts';
import { useCli } from './run-cli.ts';

const example = BODY_EXAMPLES.transmit?.['jeepney'] as TransmissionBody;
const cli = useCli();
const { run, fileOf } = cli;

describe('a batch', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      JSON.stringify({ ...example, externalTransactionId: `batch-000${index}` }),
    ).join('\n');
  const outcomesOf = (file: string) =>
    readFileSync(`${file}.outcomes.ndjson`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('writes an outcome a line and ends with 3 when one was refused', async () => {
    const file = fileOf('certificates.ndjson', lines(3));
    const { exitCode, said } = await run(['batch', file, '--concurrency', '1'], {
      answer: (_, index) => (index === 1 ? refuse('VALIDATION_FAILED') : acknowledge(201)),
    });
    expect(exitCode).toBe(3);
    expect(said).toContain('accepted 2, flagged 0, rejected 1, failed 0, inProgress 0');
    expect(outcomesOf(file)).toMatchObject([
      {
        externalTransactionId: 'batch-0000',
        end: 'accepted',
        status: 'ACCEPTED',
        http: 201,
        errorCode: null,
      },
      {
        externalTransactionId: 'batch-0001',
        end: 'rejected',
        http: 422,
        errorCode: 'VALIDATION_FAILED',
      },
      { externalTransactionId: 'batch-0002', end: 'accepted' },
    ]);
  });

  it('goes on where an interrupted run stood, even in the middle of a line', async () => {
    const file = fileOf('certificates.ndjson', lines(3));
    const settled = { externalTransactionId: 'batch-0000', end: 'rejected' };
    const unsettled = { externalTransactionId: 'batch-0001', end: 'failed' };
    fileOf(
      'certificates.ndjson.outcomes.ndjson',
      `${JSON.stringify(settled)}\n${JSON.stringify(unsettled)}\n{"externalTrans`,
    );
    const { exitCode, said } = await run(['batch', file, '--concurrency', '1'], {
      answer: () => acknowledge(201),
    });
    expect({ exitCode, sent: cli.registry?.asked.length }).toEqual({ exitCode: 3, sent: 2 });
    expect(said).toContain('1 of 3 were settled by an earlier run');
    expect(said).toContain('accepted 2, flagged 0, rejected 1');
  });

  it('sends nothing of a file with a broken line', async () => {
    const file = fileOf('certificates.ndjson', `${lines(2)}\n{"externalTransactionId": oops}`);
    const { exitCode, said } = await run(['batch', file], { answer: () => acknowledge(201) });
    expect(exitCode).toBe(2);
    expect(said).toMatch(/Line 3 is not JSON/);
    expect(cli.registry?.asked).toEqual([]);
  });

  it('ends with 5 when the registry is gone', async () => {
    const file = fileOf('certificates.ndjson', lines(1));
    const { exitCode, said } = await run(['--base-url', 'http://127.0.0.1:9', 'batch', file]);
    expect(exitCode).toBe(5);
    expect(said).toContain('got no answer from http://127.0.0.1:9');
  });
});

describe('a CSV file', () => {
  const HEADINGS =
    'issuingInsurerCode,policy.policyNumber,policy.premiumAmount,certificate.cocNumber,operator.region,vehicle.plateNumber,vehicle.yearModel,vehicle.region';
  async function bodiesOf(text: string): Promise<TransmissionBody[]> {
    const bodies: TransmissionBody[] = [];
    for await (const body of makeBatchSource(fileOf('certificates.csv', text))()) bodies.push(body);
    return bodies;
  }

  it('is one certificate for the rows that share a COC number, with numbers as numbers', async () => {
    const rows = [
      HEADINGS,
      'INS-ALPHA,P-1,1250.50,C-1,NCR,AAA 111,2019,III',
      'INS-ALPHA,P-1,1250.50,C-1,NCR,"BBB,222",,III',
      'INS-ALPHA,P-2,n/a,C-2,CAR,CCC333,2020,CAR',
    ];
    const [first, second, ...rest] = await bodiesOf(`\uFEFF${rows.join('\r\n')}\r\n`);
    expect(rest).toEqual([]);
    expect(first).toMatchObject({
      issuingInsurerCode: 'INS-ALPHA',
      poolCode: null,
      policy: { policyNumber: 'P-1', premiumAmount: 1250.5 },
      certificate: { cocNumber: 'C-1' },
      operator: { region: 'NCR' },
      vehicles: [
        { plateNumber: 'AAA 111', yearModel: 2019, region: 'III' },
        { plateNumber: 'BBB,222', region: 'III' },
      ],
    });
    expect(second?.policy).toEqual({ policyNumber: 'P-2', premiumAmount: 'n/a' });
  });

  it('has the same ids when it is read again, and another one for a corrected row', async () => {
    const text = (year: number) => `${HEADINGS}\nINS-ALPHA,P-1,1,C-1,NCR,AAA111,${year},III`;
    const ids = [
      await bodiesOf(text(2019)),
      await bodiesOf(text(2019)),
      await bodiesOf(text(2020)),
    ].map(([body]) => body?.externalTransactionId);
    expect(ids[0]).toMatch(/^[A-Za-z0-9._:-]{8,100}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it.each([
    ['an unknown heading', 'certificate.cocNumber,plate\nC-1,A1', /Unknown columns: plate/],
    ['no COC column', 'policy.policyNumber\nP-1', /certificate\.cocNumber is missing/],
    [
      'rows of one certificate that differ',
      `${HEADINGS}\nA,P-1,1,C-1,NCR,AAA111,2019,III\nA,P-1,2,C-1,NCR,BBB222,2019,III`,
      /Line 3: policy\.premiumAmount is "2", but "1"/,
    ],
    [
      'rows of one certificate that lie apart',
      `${HEADINGS}\nA,P-1,1,C-1,NCR,A1,2019,III\nA,P-1,1,C-2,NCR,B1,2019,III\nA,P-1,1,C-1,NCR,C1,2019,III`,
      /Line 4: the rows of certificate C-1 must follow each other/,
    ],
    ['a row too short', `${HEADINGS}\nA,P-1`, /certificates\.csv: .*2/],
  ])('is refused with the place: %s', async (_, text, words) => {
    await expect(bodiesOf(text)).rejects.toThrow(words);
  });

  it('may hold every field of the contract', () => {
    expect(COLUMNS).toEqual(
      expect.arrayContaining([
        'operator.tin',
        'vehicle.route',
        'policy.remarks',
        'certificate.insurerVerificationReference',
      ]),
    );
    expect(new Set(COLUMNS).size).toBe(COLUMNS.length);
  });
});
