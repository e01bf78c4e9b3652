import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBatchSource } from '../../../client/cli/batch-source.ts';
import { COLUMNS } from '../../../client/cli/certificate-rows.ts';
import { runCli } from '../../../client/cli.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { BODY_EXAMPLES } from '../../../shared/contract/openapi/body-examples.ts';
import {
  acknowledge,
  CREDENTIALS,
  type FakeOptions,
  type FakeRegistry,
  refuse,
  startFakeRegistry,
} from './fake-registry.ts';

const example = BODY_EXAMPLES.transmit?.['jeepney'] as TransmissionBody;
const ENVIRONMENT = {
  REGISTRY_CLIENT_ID: CREDENTIALS.clientId,
  REGISTRY_CLIENT_SECRET: CREDENTIALS.clientSecret,
  REGISTRY_SIGNING_SECRET: CREDENTIALS.signingSecret,
};

let folder: string;
let registry: FakeRegistry | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await registry?.close();
  registry = undefined;
});

async function run(
  args: readonly string[],
  {
    answer,
    input = '',
    environment = ENVIRONMENT,
  }: Partial<FakeOptions> & { input?: string; environment?: NodeJS.ProcessEnv } = {},
) {
  if (answer) registry = await startFakeRegistry({ answer });
  const data: string[] = [];
  const said: string[] = [];
  const exitCode = await runCli(args, {
    environment: { ...environment, REGISTRY_URL: registry?.url ?? 'http://127.0.0.1:9' },
    console: { data: (text) => data.push(text), say: (text) => said.push(text) },
    readInput: () => Buffer.from(input),
  });
  return { exitCode, data: data.join('\n'), said: said.join('\n') };
}

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('one request', () => {
  it('transmits a file and tells what became of it', async () => {
    const file = fileOf('one.json', JSON.stringify(example));
    const { exitCode, data, said } = await run(['transmit', file], {
      answer: () => acknowledge(201),
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(data)).toMatchObject({
      status: 'ACCEPTED',
      registryReference: 'PPAI-2026-000000097',
    });
    expect(said).toContain('ACCEPTED as PPAI-2026-000000097');
  });

  it('takes the body from standard input', async () => {
    const { exitCode } = await run(['transmit', '-'], {
      answer: () => acknowledge(201),
      input: JSON.stringify(example),
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(registry?.asked[0]?.body.toString() ?? '')).toEqual(example);
  });

  it('shows code, message, each detail with its field, and the request id, with exit code 3', async () => {
    const error = {
      code: 'VALIDATION_FAILED',
      message: 'The request did not pass validation; see details.',
      requestId: 'request-7',
      details: [
        {
          level: 1,
          severity: 'ERROR',
          code: 'REQUIRED',
          field: 'vehicles[0].chassisNumber',
          message: 'It is required.',
        },
      ],
    };
    const { exitCode, said } = await run(['read', 'PPAI-2026-000000001'], {
      answer: () => ({ status: 422, body: { success: false, data: null, error } }),
    });
    expect(exitCode).toBe(3);
    expect(said.split('\n')).toEqual([
      '422 VALIDATION_FAILED: The request did not pass validation; see details.',
      '  ERROR level 1 REQUIRED  vehicles[0].chassisNumber  It is required.',
      '  request id: request-7',
    ]);
  });

  it.each([
    [
      ['search', '--plate-number', 'ABC 123', '--page-size', '5'],
      '/api/v1/ppai/policies/search?plateNumber=ABC+123&pageSize=5',
    ],
    [['lookup', 'my-id-0001', '--wait', '7'], '/api/v1/ppai/transmissions/my-id-0001'],
    [
      ['coverage', 'ABC123', '--as-of', '2026-01-02'],
      '/api/v1/ppai/vehicles/ABC123/coverage?asOf=2026-01-02',
    ],
    [['read', 'PPAI-2026-000000001'], '/api/v1/ppai/policies/PPAI-2026-000000001'],
  ])('asks with %j for %s', async (args, target) => {
    expect((await run(args, { answer: () => acknowledge(200) })).exitCode).toBe(0);
    expect(registry?.asked[0]).toMatchObject({ method: 'GET', target, isSigned: true });
  });

  it('ends with 4 when the transmission is still in progress at the deadline', async () => {
    const { exitCode } = await run(['transmit', '-', '--deadline', '0'], {
      answer: () => acknowledge(202, { status: 'RECEIVED' }),
      input: JSON.stringify(example),
    });
    expect(exitCode).toBe(4);
  });

  it.each([
    [['nonsense'], /unknown command/],
    [['transmit'], /missing required argument/],
    [['transmit', 'no-such-file.json'], /no-such-file\.json cannot be read/],
    [['transmit', '-'], /- is not JSON/],
    [['lookup', 'x', '--wait', 'soon'], /whole number/],
    [['--base-url', 'registry', 'token'], /--base-url must be/],
    [['--client-file', 'none.json', 'token'], /none\.json cannot be read/],
  ])('ends with 2 and says why: %j', async (args, words) => {
    const { exitCode, said } = await run(args, { input: '{' });
    expect(exitCode).toBe(2);
    expect(said).toMatch(words);
  });

  it('names the variables that it misses, and the clients of a file', async () => {
    const bare = await run(['token'], { environment: {} });
    expect(bare.said).toMatch(
      /REGISTRY_CLIENT_ID, REGISTRY_CLIENT_SECRET, REGISTRY_SIGNING_SECRET/,
    );
    const clients = ['alpha', 'bravo'].map((name) => ({ name, ...CREDENTIALS }));
    const file = fileOf('clients.json', JSON.stringify({ clients, adminUsers: [] }));
    const unnamed = await run(['--client-file', file, 'token'], { environment: {} });
    expect(unnamed).toMatchObject({ exitCode: 2 });
    expect(unnamed.said).toContain('alpha, bravo');
    expect(unnamed.said).not.toContain(CREDENTIALS.clientSecret);
    const named = await run(['--client-file', file, '--client', 'bravo', 'token'], {
      environment: {},
      answer: () => refuse('NOT_FOUND'),
    });
    expect(named.exitCode).toBe(0);
  });

  it('prints the headers of a signature as the vectors have it', async () => {
    const { cases } = JSON.parse(
      readFileSync(join(__dirname, '../vectors/signature.json'), 'utf8'),
    );
    const vector = cases.find(({ name }: { name: string }) => name === 'POST JSON');
    const body = fileOf('body.json', Buffer.from(vector.bodyHex, 'hex').toString());
    const { data, said } = await run(
      [
        'sign',
        'post',
        `https://registry.example.org${vector.target}`,
        body,
        '--timestamp',
        vector.timestamp,
        '--nonce',
        vector.nonce,
      ],
      { environment: { ...ENVIRONMENT, REGISTRY_SIGNING_SECRET: vector.signingSecret } },
    );
    expect(data.split('\n')).toEqual([
      `X-PPAI-Client-Id: ${CREDENTIALS.clientId}`,
      `X-PPAI-Timestamp: ${vector.timestamp}`,
      `X-PPAI-Nonce: ${vector.nonce}`,
      `X-PPAI-Signature: ${vector.signature}`,
    ]);
    expect(said).toContain(vector.bodyDigest);
  });
});

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
    expect({ exitCode, sent: registry?.asked.length }).toEqual({ exitCode: 3, sent: 2 });
    expect(said).toContain('1 of 3 were settled by an earlier run');
    expect(said).toContain('accepted 2, flagged 0, rejected 1');
  });

  it('sends nothing of a file with a broken line', async () => {
    const file = fileOf('certificates.ndjson', `${lines(2)}\n{"externalTransactionId": oops}`);
    const { exitCode, said } = await run(['batch', file], { answer: () => acknowledge(201) });
    expect(exitCode).toBe(2);
    expect(said).toMatch(/Line 3 is not JSON/);
    expect(registry?.asked).toEqual([]);
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
