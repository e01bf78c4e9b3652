import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBatchSource } from '../../../client/cli/input/batch-source.ts';
import { readLines } from '../../../client/cli/input/read-text.ts';
import { runCli } from '../../../client/cli.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { BODY_EXAMPLES } from '../../../shared/contract/openapi/body-examples.ts';
import { clientEnvironment } from '../../env/client-environment.ts';
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
  const [data, messages]: [string[], string[]] = [[], []];
  const exitCode = await runCli(args, {
    environment: clientEnvironment(registry.url, CREDENTIALS),
    console: { data: (text) => data.push(text), message: (text) => messages.push(text) },
    readInput: () => Buffer.alloc(0),
  });
  return {
    exitCode,
    data: data.join('\n'),
    messages: messages.join('\n'),
    sent: registry.received.length,
  };
}

async function bodiesOf(file: string): Promise<TransmissionBody[]> {
  const bodies: TransmissionBody[] = [];
  for await (const { body } of makeBatchSource(file)()) bodies.push(body);
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
    'is refused with line and column before anything is sent: %s',
    async (_case, name, content, message) => {
      const { exitCode, messages, sent } = await run('batch', fileOf(name, content));
      expect({ exitCode, sent }).toEqual({ exitCode: 2, sent: 0 });
      expect(messages).toMatch(/Line \d+, column \d+ is not UTF-8/);
      expect(messages).toMatch(message);
    },
  );

  it('is refused with the column number that an editor shows', async () => {
    const file = fileOf(
      'a.csv',
      Buffer.concat([Buffer.from(`${HEADINGS}\nñ,`), Buffer.from([0xf1])]),
    );
    await expect(bodiesOf(file)).rejects.toThrow('Line 2, column 3');
  });

  it('may contain the replacement character U+FFFD', async () => {
    const [body] = await bodiesOf(fileOf('a.csv', csv('INS-ALPHA,P-1,1,C-1,a\uFFFDb,AAA111')));
    expect(body?.operator.name).toBe('a\uFFFDb');
  });

  it('is also refused as a single transmission', async () => {
    const file = fileOf('one.json', Buffer.from(line({ note: 'ñ' }), 'latin1'));
    const { exitCode, messages } = await run('transmit', file);
    expect({ exitCode, messages }).toEqual({
      exitCode: 2,
      messages: expect.stringContaining('not UTF-8'),
    });
  });
});

describe('a file', () => {
  it.each([
    ['a.csv', `\uFEFF${csv('INS-ALPHA,P-1,1,C-1,A,AAA111')}`],
    ['a.ndjson', `\uFEFF${line({ externalTransactionId: 'with-bom-1' })}`],
  ])('may start with a byte order mark: %s', async (name, content) => {
    expect((await run('batch', fileOf(name, content))).exitCode).toBe(0);
  });

  it('of one transmission may start with a byte order mark', async () => {
    const { exitCode } = await run('transmit', fileOf('one.json', `\uFEFF${line({})}`));
    expect(exitCode).toBe(0);
  });

  it.each([
    ['of no bytes', 'a.ndjson', ''],
    ['with headings only', 'a.csv', `${HEADINGS}\n`],
  ])('%s is refused, because an export may have failed', async (_case, name, content) => {
    const file = fileOf(name, content);
    for (const options of [[], ['--dry-run']]) {
      const { exitCode, messages, sent } = await run('batch', file, ...options);
      expect({ exitCode, sent }).toEqual({ exitCode: 2, sent: 0 });
      expect(messages).toContain(`${file}: The file has no certificates.`);
    }
  });

  it.each(['utf-8', 'utf-16'] as const)(
    'in %s may have lines that are longer than what is read at a time',
    async (encoding) => {
      const lengths = [200_000, 3, 65_536, 0, 65_535, 131_072];
      const texts = lengths.map((length, index) => String(index).repeat(length));
      const content = Buffer.from(texts.join('\n'), encoding === 'utf-8' ? 'utf8' : 'utf16le');
      const lines: string[] = [];
      for await (const text of readLines(fileOf('a.txt', content), encoding)) lines.push(text);
      expect(lines).toEqual(texts);
    },
  );

  it('has lines that end only at line feeds', async () => {
    const text = `a\u2028b\u2029c\u0085d`;
    const [body] = await bodiesOf(
      fileOf('a.ndjson', JSON.stringify({ ...example, note: text }).concat('\r\n\r\n')),
    );
    expect(body).toMatchObject({ note: text });
    const [row] = await bodiesOf(fileOf('a.csv', csv('INS-ALPHA,P-1,1,C-1,a\u2028b,AAA111')));
    expect(row?.operator.name).toBe('a\u2028b');
  });

  it.each(['missing.csv', 'missing.ndjson'])(
    'that does not exist makes the command exit with 2: %s',
    async (name) => {
      const { exitCode, messages } = await run('batch', join(folder, name));
      expect({ exitCode, messages }).toEqual({
        exitCode: 2,
        messages: expect.stringContaining(name),
      });
    },
  );

  it('of a journal that cannot be opened makes the command exit with 2', async () => {
    const file = fileOf('a.csv', csv('INS-ALPHA,P-1,1,C-1,A,AAA111'));
    const { exitCode, messages } = await run('batch', file, '--journal', join(folder, 'none', 'o'));
    expect({ exitCode, messages }).toEqual({
      exitCode: 2,
      messages: expect.stringContaining('cannot be used'),
    });
  });
});

describe('the rows of a CSV file', () => {
  it('that are empty are skipped', async () => {
    const file = fileOf(
      'a.csv',
      csv('INS-ALPHA,P-1,1,C-1,A,AAA111', ',,,,,', '', 'INS-ALPHA,P-1,1,C-1,A,BBB222'),
    );
    expect((await bodiesOf(file)).map(({ vehicles }) => vehicles.length)).toEqual([2]);
  });

  it('are one certificate only if insurer, policy and COC number are equal', async () => {
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

it('the help of a command shows its name and the global options', async () => {
  const { data } = await run('batch', 'send', '--help');
  expect(data).toContain('Usage: registry batch send [options] <file>');
  expect(data).toContain('--client-file <file>');
  expect(data).toContain('--journal <file>');
});

it('a file on a full disk is told without a stack trace', async () => {
  const report = join(folder, 'report.csv');
  // Every write to it fails as on a full disk.
  symlinkSync('/dev/full', report);
  const { exitCode, messages, sent } = await run(
    'batch',
    'send',
    fileOf('a.ndjson', line({ externalTransactionId: 'full-disk-1' })),
    '--report',
    report,
  );
  expect({ exitCode, sent }).toEqual({ exitCode: 8, sent: 1 });
  expect(messages).toContain('ENOSPC: no space left on device');
  expect(messages).toContain(`${report} cannot be written`);
});

describe('an output', () => {
  it.each([
    ['report', 'batch', 'report', 'a.csv', 'a.csv'],
    ['report at the end', 'batch', 'send', 'a.csv', '--report', 'a.csv'],
    ['list of refused rows', 'batch', 'retry', 'a.csv', '--failed-only', 'a.csv'],
  ])('never replaces the file that is read: %s', async (_what, ...args) => {
    const text = csv('INS-ALPHA,P-1,1,C-1,A,AAA111');
    fileOf('a.csv', text);
    fileOf('a.csv.journal.ndjson', '');
    const { exitCode, messages, sent } = await run(
      ...args.map((arg) => (arg === 'a.csv' ? join(folder, arg) : arg)),
    );
    expect({ exitCode, sent }).toEqual({ exitCode: 2, sent: 0 });
    expect(messages).toContain('is also read');
    expect(readFileSync(join(folder, 'a.csv'), 'utf8')).toBe(text);
  });

  it('that cannot be written is told before anything is sent', async () => {
    const file = fileOf('a.ndjson', line({ externalTransactionId: 'no-report-1' }));
    const { exitCode, sent } = await run('batch', 'send', file, '--report', '/none/report.csv');
    expect({ exitCode, sent }).toEqual({ exitCode: 2, sent: 0 });
  });

  it('is not left behind by a batch that is refused', async () => {
    const report = join(folder, 'report.csv');
    const { exitCode } = await run('batch', fileOf('a.ndjson', '{'), '--report', report);
    expect({ exitCode, isLeft: existsSync(report) }).toEqual({ exitCode: 2, isLeft: false });
  });
});

it('a batch name that the registry would refuse is told before anything is sent', async () => {
  const file = fileOf('a.ndjson', line({ externalTransactionId: 'short-name-1' }));
  const { exitCode, sent } = await run('batch', 'send', file, '--batch', 'jan');
  expect({ exitCode, sent }).toEqual({ exitCode: 2, sent: 0 });
});
