import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBatchSource } from '../../../client/cli/batch-source.ts';
import { runCli } from '../../../client/cli.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { BODY_EXAMPLES } from '../../../shared/contract/openapi/body-examples.ts';
import { acknowledge, CREDENTIALS, type FakeRegistry, startFakeRegistry } from './fake-registry.ts';

const example = BODY_EXAMPLES.transmit?.['jeepney'] as TransmissionBody;
const HEADINGS =
  'issuingInsurerCode,policy.policyNumber,policy.premiumAmount,certificate.cocNumber,operator.name,vehicle.plateNumber';

let folder: string;
let registry: FakeRegistry;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cli-files-'));
  registry = await startFakeRegistry({ answer: () => acknowledge(201) });
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await registry.close();
});

function fileOf(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

async function run(...args: string[]) {
  const [data, said]: [string[], string[]] = [[], []];
  const exitCode = await runCli(args, {
    environment: {
      REGISTRY_CLIENT_ID: CREDENTIALS.clientId,
      REGISTRY_CLIENT_SECRET: CREDENTIALS.clientSecret,
      REGISTRY_SIGNING_SECRET: CREDENTIALS.signingSecret,
      REGISTRY_URL: registry.url,
    },
    console: { data: (text) => data.push(text), say: (text) => said.push(text) },
    readInput: () => Buffer.alloc(0),
  });
  return { exitCode, data: data.join('\n'), said: said.join('\n'), sent: registry.asked.length };
}

async function bodiesOf(file: string): Promise<TransmissionBody[]> {
  const bodies: TransmissionBody[] = [];
  for await (const body of makeBatchSource(file)()) bodies.push(body);
  return bodies;
}

const csv = (...rows: string[]) => [HEADINGS, ...rows].join('\n');
const line = (changes: object) => JSON.stringify({ ...example, ...changes });
const UTF16_BOM = Buffer.from([0xff, 0xfe]);

describe('a file that is not UTF-8', () => {
  const row = 'INS-ALPHA,P-1,1,C-1,Peña,AAA111';
  it.each([
    ['a CSV file in windows-1252', 'a.csv', Buffer.from(csv(row), 'latin1'), /windows-1252/],
    [
      'NDJSON in windows-1252',
      'a.ndjson',
      Buffer.from(`\n${line({ note: 'ñ' })}`, 'latin1'),
      /windows-1252/,
    ],
    [
      'a CSV file in UTF-16',
      'a.csv',
      Buffer.concat([UTF16_BOM, Buffer.from(csv(row), 'utf16le')]),
      /UTF-16/,
    ],
  ])(
    'is refused with its place before anything is sent: %s',
    async (_case, name, content, words) => {
      const { exitCode, said, sent } = await run('batch', fileOf(name, content));
      expect({ exitCode, sent }).toEqual({ exitCode: 2, sent: 0 });
      expect(said).toMatch(/Line \d+, column \d+: this is not UTF-8/);
      expect(said).toMatch(words);
    },
  );

  it('is named with the column that an editor shows', async () => {
    const file = fileOf(
      'a.csv',
      Buffer.concat([Buffer.from(`${HEADINGS}\nñ,`), Buffer.from([0xf1])]),
    );
    await expect(bodiesOf(file)).rejects.toThrow('Line 2, column 3');
  });

  it('may hold the character that stands for an unknown one', async () => {
    const [body] = await bodiesOf(fileOf('a.csv', csv('INS-ALPHA,P-1,1,C-1,a\uFFFDb,AAA111')));
    expect(body?.operator.name).toBe('a\uFFFDb');
  });

  it('is refused as a single transmission, too', async () => {
    const file = fileOf('one.json', Buffer.from(line({ note: 'ñ' }), 'latin1'));
    const { exitCode, said } = await run('transmit', file);
    expect({ exitCode, said }).toEqual({ exitCode: 2, said: expect.stringContaining('not UTF-8') });
  });
});

describe('a file', () => {
  it.each([
    ['a.csv', `\uFEFF${csv('INS-ALPHA,P-1,1,C-1,A,AAA111')}`],
    ['a.ndjson', `\uFEFF${line({ externalTransactionId: 'with-bom-1' })}`],
  ])('may begin with a byte order mark: %s', async (name, content) => {
    expect((await run('batch', fileOf(name, content))).exitCode).toBe(0);
  });

  it('of one transmission may begin with a byte order mark', async () => {
    const { exitCode } = await run('transmit', fileOf('one.json', `\uFEFF${line({})}`));
    expect(exitCode).toBe(0);
  });

  it('ends its lines at line feeds alone', async () => {
    const text = `a\u2028b\u2029c\u0085d`;
    const [body] = await bodiesOf(
      fileOf('a.ndjson', JSON.stringify({ ...example, note: text }).concat('\r\n\r\n')),
    );
    expect(body).toMatchObject({ note: text });
    const [row] = await bodiesOf(fileOf('a.csv', csv('INS-ALPHA,P-1,1,C-1,a\u2028b,AAA111')));
    expect(row?.operator.name).toBe('a\u2028b');
  });

  it.each(['missing.csv', 'missing.ndjson'])('that is missing ends with 2: %s', async (name) => {
    const { exitCode, said } = await run('batch', join(folder, name));
    expect({ exitCode, said }).toEqual({ exitCode: 2, said: expect.stringContaining(name) });
  });

  it('of outcomes that cannot be opened ends with 2', async () => {
    const file = fileOf('a.csv', csv('INS-ALPHA,P-1,1,C-1,A,AAA111'));
    const { exitCode, said } = await run('batch', file, '--outcomes', join(folder, 'none', 'o'));
    expect({ exitCode, said }).toEqual({
      exitCode: 2,
      said: expect.stringContaining('cannot be used for outcomes'),
    });
  });
});

describe('the rows of a CSV file', () => {
  it('that are empty are passed over', async () => {
    const file = fileOf(
      'a.csv',
      csv('INS-ALPHA,P-1,1,C-1,A,AAA111', ',,,,,', '', 'INS-ALPHA,P-1,1,C-1,A,BBB222'),
    );
    expect((await bodiesOf(file)).map(({ vehicles }) => vehicles.length)).toEqual([2]);
  });

  it('are one certificate only when insurer, policy and COC number are the same', async () => {
    const file = fileOf(
      'a.csv',
      csv(
        'INS-ALPHA,P-1,1,C-1,A,AAA111',
        'INS-ALPHA,P-2,1,C-1,A,BBB222',
        'INS-BRAVO,P-2,1,C-1,A,CCC333',
      ),
    );
    expect((await bodiesOf(file)).map(({ policy }) => policy.policyNumber)).toEqual([
      'P-1',
      'P-2',
      'P-2',
    ]);
  });

  it('keep every digit of a number', async () => {
    const file = fileOf('a.csv', csv('INS-ALPHA,P-1,99999999.999999999999999,C-1,A,AAA111'));
    const [body] = await bodiesOf(file);
    expect(body?.policy.premiumAmount).toBe('99999999.999999999999999');
  });
});

describe('outcomes of an interrupted run', () => {
  const id = 'settled-1';
  it.each([
    ['within a character', Buffer.from('{"note":"ñ', 'utf8').subarray(0, -1)],
    ['within a character, before other lines', Buffer.from([0x7b, 0xc3, 0x0a])],
    ['with zero bytes, as after a power failure', Buffer.alloc(64)],
  ])('may end %s, and the batch goes on from there', async (_case, tail) => {
    const file = fileOf('a.ndjson', line({ externalTransactionId: id }));
    const settled = `${JSON.stringify({ externalTransactionId: id, end: 'accepted' })}\n`;
    fileOf('a.ndjson.outcomes.ndjson', Buffer.concat([Buffer.from(settled), tail]));
    expect(await run('batch', file)).toMatchObject({ exitCode: 0, sent: 0 });
  });
});

describe('a transmission that was corrected under its old id', () => {
  const id = 'corrected-1';
  it('is named and not sent, and the batch ends with 3', async () => {
    const file = fileOf('a.ndjson', line({ externalTransactionId: id }));
    expect((await run('batch', file)).exitCode).toBe(0);
    fileOf('a.ndjson', line({ externalTransactionId: id, poolCode: 'POOL-NORTH' }));
    const before = registry.asked.length;
    const { exitCode, said, sent } = await run('batch', file);
    expect({ exitCode, sent }).toEqual({ exitCode: 3, sent: before });
    expect(said).toContain(`${id} was settled by an earlier run with another content`);
    expect(said).toContain('changed 1');
  });

  it('cannot be told by outcomes of an earlier release, which count as settled', async () => {
    const file = fileOf('a.ndjson', line({ externalTransactionId: id }));
    fileOf(
      'a.ndjson.outcomes.ndjson',
      JSON.stringify({ externalTransactionId: id, end: 'accepted' }),
    );
    expect(await run('batch', file)).toMatchObject({ exitCode: 0, sent: 0 });
    expect(readFileSync(`${file}.outcomes.ndjson`, 'utf8')).toMatch(/\n$/);
  });
});

it('the help of a command has its name and the options of all commands', async () => {
  const { data } = await run('batch', '--help');
  expect(data).toContain('Usage: registry batch [options] <file>');
  expect(data).toContain('--client-file <file>');
  expect(data).toContain('--outcomes <file>');
});
