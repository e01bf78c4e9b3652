import { existsSync } from 'node:fs';
import { makeBatchSource } from '../../../client/cli/input/batch-source.ts';
import { COLUMNS } from '../../../client/cli/input/columns.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { BODY_EXAMPLES } from '../../../shared/contract/openapi/body-examples.ts';
import { acknowledge, refuse } from './fake-registry.ts';
import { exampleLines, readJournalOf, useCli } from './run-cli.ts';

const example = BODY_EXAMPLES.transmit?.['jeepney'] as TransmissionBody;
const cli = useCli();
const { run, fileOf } = cli;

describe('a batch', () => {
  const lines = (count: number) => exampleLines('batch-000', count);
  const settledIn = (file: string) => readJournalOf(file).filter(({ type }) => type === 'settled');

  it('writes each outcome with its row into the journal and exits with 3 when one transmission was refused', async () => {
    const file = fileOf('certificates.ndjson', lines(3));
    const { exitCode, messages } = await run(['batch', 'send', file, '--concurrency', '1'], {
      answer: (_, index) => (index === 1 ? refuse('VALIDATION_FAILED') : acknowledge(201)),
    });
    expect(exitCode).toBe(3);
    expect(messages).toContain('accepted 2, flagged 0, rejected 1, failed 0, inProgress 0');
    expect(messages).toContain('Most frequent codes: VALIDATION_FAILED 1');
    const { policy, certificate, vehicles } = example;
    expect(messages).toContain(
      `Line 2, policy ${policy.policyNumber}, COC ${certificate.cocNumber}, plate ${vehicles[0]?.plateNumber}: 422 VALIDATION_FAILED`,
    );
    expect(settledIn(file)).toMatchObject([
      {
        id: 'batch-0000',
        line: 1,
        policy: policy.policyNumber,
        coc: certificate.cocNumber,
        plate: vehicles[0]?.plateNumber,
        end: 'accepted',
        http: 201,
        errorCode: null,
      },
      { id: 'batch-0001', line: 2, end: 'rejected', http: 422, errorCode: 'VALIDATION_FAILED' },
      { id: 'batch-0002', line: 3, end: 'accepted' },
    ]);
  });

  it('is also sent by the command without "send"', async () => {
    const file = fileOf('certificates.ndjson', lines(2));
    const { exitCode } = await run(['batch', file], { answer: () => acknowledge(201) });
    expect({ exitCode, settled: settledIn(file).length }).toEqual({ exitCode: 0, settled: 2 });
  });

  it('sends nothing from a file with an invalid line', async () => {
    const file = fileOf('certificates.ndjson', `${lines(2)}\n{"externalTransactionId": oops}`);
    const { exitCode, messages } = await run(['batch', file], { answer: () => acknowledge(201) });
    expect(exitCode).toBe(2);
    expect(messages).toMatch(/Line 3 is not JSON/);
    expect(cli.registry?.received).toEqual([]);
  });

  it.each([
    ['send', []],
    ['check', ['--dry-run']],
  ])('refuses to %s two certificates with the same id', async (_, options) => {
    const file = fileOf('certificates.ndjson', `${lines(2)}\n${lines(1)}`);
    const { exitCode, messages } = await run(['batch', file, ...options], {
      answer: () => acknowledge(201),
    });
    expect(exitCode).toBe(2);
    expect(cli.registry?.received).toEqual([]);
    expect(messages).toContain(
      'Line 3: an earlier line has the same externalTransactionId batch-0000. Remove one of them',
    );
  });

  it('is only checked with --dry-run', async () => {
    const file = fileOf('certificates.ndjson', lines(2));
    const sound = await run(['batch', file, '--dry-run'], { answer: () => acknowledge(201) });
    expect(sound).toMatchObject({
      exitCode: 0,
      messages: expect.stringContaining('2 certificates'),
    });
    const vehicles = [{ yearModel: 'old' }];
    const wrong = JSON.stringify({ ...example, externalTransactionId: 'batch-0009', vehicles });
    const refused = await run(['batch', fileOf('a.ndjson', wrong), '--dry-run']);
    expect(refused.exitCode).toBe(3);
    expect(refused.messages).toMatch(/^Line 1, policy .*vehicles\.0\.yearModel: /m);
    const { data } = await run(['batch', fileOf('a.ndjson', wrong), '--dry-run', '--json']);
    const problems = [{ field: 'vehicles.0.yearModel', message: expect.any(String) }];
    expect(data.split('\n').map((line) => JSON.parse(line))).toMatchObject([
      { event: 'problem', line: 1, id: 'batch-0009', problems },
      { event: 'checked', total: 1, refused: 1 },
    ]);
    expect(cli.registry?.received).toEqual([]);
    expect(existsSync(`${file}.journal.ndjson`)).toBe(false);
  });

  it('exits with 5 when the registry is unreachable', async () => {
    const file = fileOf('certificates.ndjson', lines(1));
    const { exitCode, messages } = await run(['--base-url', 'http://127.0.0.1:9', 'batch', file]);
    expect(exitCode).toBe(5);
    expect(messages).toContain('got no answer from http://127.0.0.1:9');
  });
});

describe('a CSV file', () => {
  const HEADINGS =
    'issuingInsurerCode,policy.policyNumber,policy.premiumAmount,certificate.cocNumber,operator.region,vehicle.plateNumber,vehicle.yearModel,vehicle.region';
  async function bodiesOf(text: string): Promise<TransmissionBody[]> {
    const bodies: TransmissionBody[] = [];
    for await (const { body } of makeBatchSource(fileOf('certificates.csv', text))())
      bodies.push(body);
    return bodies;
  }

  it('makes one certificate of the rows with the same COC number, and sends numbers as numbers', async () => {
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

  it('produces the same ids when it is read again, and a new id for a corrected row', async () => {
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
      'rows of one certificate that are not adjacent',
      `${HEADINGS}\nA,P-1,1,C-1,NCR,A1,2019,III\nA,P-1,1,C-2,NCR,B1,2019,III\nA,P-1,1,C-1,NCR,C1,2019,III`,
      /Line 4: the rows of certificate C-1 must be adjacent/,
    ],
    ['a row too short', `${HEADINGS}\nA,P-1`, /certificates\.csv: .*2/],
  ])('is refused with the line: %s', async (_, text, message) => {
    await expect(bodiesOf(text)).rejects.toThrow(message);
  });

  it('may contain every field of the contract', () => {
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
