import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { BODY_EXAMPLES } from '../../../shared/contract/openapi/body-examples.ts';
import { acknowledge, type Reply, refuse } from './fake-registry.ts';
import { ENVIRONMENT, useCli } from './run-cli.ts';

const example = BODY_EXAMPLES.transmit?.['jeepney'] as TransmissionBody;
const cli = useCli();
const { run, fileOf } = cli;

const idOf = (index: number) => `journal-${String(index).padStart(4, '0')}`;
const lineOf = (index: number, changes: object = {}) =>
  JSON.stringify({ ...example, externalTransactionId: idOf(index), ...changes });
const linesOf = (...indexes: number[]) => indexes.map((index) => lineOf(index)).join('\n');
const accept = (): Reply => acknowledge(201);
const sentIds = () =>
  cli.registry?.received.map(({ body }) => JSON.parse(body.toString()).externalTransactionId);
const journalOf = (file: string) => `${file}.journal.ndjson`;

describe('a journal', () => {
  it('lets an interrupted batch resume, whatever its last line looks like', async () => {
    const tails = [
      '{"type":"settl',
      Buffer.from('{"note":"ñ', 'utf8').subarray(0, -1),
      Buffer.from([0x7b, 0xc3, 0x0a]),
      Buffer.alloc(64),
    ];
    const file = fileOf('a.ndjson', linesOf(0, 1, 2));
    await run(['batch', file, '--concurrency', '1'], {
      answer: (_, index) => (index === 2 ? refuse('FORBIDDEN') : accept()),
    });
    const journal = readFileSync(journalOf(file));
    for (const tail of tails) {
      writeFileSync(journalOf(file), Buffer.concat([journal, Buffer.from(tail)]));
      const before = cli.registry?.received.length ?? 0;
      await run(['batch', file]);
      expect(sentIds()?.slice(before)).toEqual([idOf(2)]);
    }
  });

  it('is locked while a batch is sent, and a lock of a process that ended is taken over', async () => {
    const file = fileOf('a.ndjson', linesOf(0));
    fileOf('a.ndjson.journal.ndjson.lock', String(process.ppid));
    const refused = await run(['batch', file], { answer: accept });
    expect(refused).toMatchObject({ exitCode: 2, messages: expect.stringContaining('in use') });
    expect(sentIds()).toEqual([]);
    // In a container, the process after one that was killed often has the same id.
    for (const owner of ['999999999', String(process.pid)]) {
      fileOf('a.ndjson.journal.ndjson.lock', owner);
      expect((await run(['batch', file])).exitCode).toBe(0);
      expect(existsSync(`${journalOf(file)}.lock`)).toBe(false);
    }
  });

  it('keeps the outcome of a certificate with a number for a text', async () => {
    const line = JSON.stringify({ ...JSON.parse(linesOf(0)), certificate: { cocNumber: 1000 } });
    const file = fileOf('a.ndjson', line);
    await run(['batch', file], { answer: () => refuse('FORBIDDEN') });
    const report = join(cli.folder, 'report.csv');
    await run(['batch', 'report', file, report]);
    expect(readFileSync(report, 'utf8').trim().split('\n')).toHaveLength(2);
  });

  it('fits whether or not the base URL ends with a slash, also when an earlier release wrote it', async () => {
    const file = fileOf('a.ndjson', linesOf(0));
    await run(['batch', file], { answer: accept });
    const written = readFileSync(journalOf(file), 'utf8');
    const url = String(cli.registry?.url);
    writeFileSync(journalOf(file), written.replace(`"${url}"`, `"${url}/"`));
    expect((await run(['batch', file])).exitCode).toBe(0);
    expect((await run(['batch', file, '--base-url', `${url}/`])).exitCode).toBe(0);
    expect(sentIds()).toHaveLength(1);
  });

  it('is never a file with other content', async () => {
    const text = `${linesOf(0)}\n`;
    const file = fileOf('a.ndjson', text);
    const { exitCode, messages } = await run(['batch', file, '--journal', file], {
      answer: accept,
    });
    expect({ exitCode, sent: sentIds() }).toEqual({ exitCode: 2, sent: [] });
    expect(messages).toContain('its first line is no header of a journal');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it.each([
    ['another file', linesOf(7), ENVIRONMENT, /another file/],
    [
      'another client',
      linesOf(0),
      { ...ENVIRONMENT, REGISTRY_CLIENT_ID: 'client-2' },
      /client-1, not by client-2/,
    ],
  ])(
    'of %s makes the command exit with 7, and --force sets it aside',
    async (_case, text, environment, message) => {
      const file = fileOf('a.ndjson', linesOf(0));
      await run(['batch', file], { answer: accept });
      fileOf('a.ndjson', text);
      const { exitCode, messages } = await run(['batch', file], { environment });
      expect({ exitCode, sent: sentIds()?.length }).toEqual({ exitCode: 7, sent: 1 });
      expect(messages).toMatch(message);
      expect((await run(['batch', file, '--force'], { environment })).exitCode).toBe(0);
      expect(sentIds()).toHaveLength(2);
    },
  );

  it('of another registry makes the command exit with 7', async () => {
    const file = fileOf('a.ndjson', linesOf(0));
    await run(['batch', file], { answer: accept });
    const other = cli.registry?.url.replace('127.0.0.1', 'localhost') ?? '';
    expect((await run(['--base-url', other, 'batch', file])).exitCode).toBe(7);
  });
});

describe('a row that changed under its old id', () => {
  it('is named, and nothing is sent, with exit code 2', async () => {
    const file = fileOf('a.ndjson', linesOf(0, 1));
    await run(['batch', file], { answer: accept });
    fileOf('a.ndjson', [lineOf(0), lineOf(1, { poolCode: 'POOL-NORTH' }), lineOf(2)].join('\n'));
    const { exitCode, messages } = await run(['batch', file]);
    expect({ exitCode, sent: sentIds()?.length }).toEqual({ exitCode: 2, sent: 2 });
    expect(messages).toContain(`Line 2: ${idOf(1)} has changed since it was sent`);
    expect(messages).toContain('--renew-ids');
  });

  it('is sent under the next id with --renew-ids', async () => {
    const file = fileOf('a.ndjson', linesOf(0));
    await run(['batch', file], { answer: accept });
    for (const [poolCode, id] of [
      ['POOL-A', `${idOf(0)}.r2`],
      ['POOL-B', `${idOf(0)}.r3`],
    ] as const) {
      fileOf('a.ndjson', lineOf(0, { poolCode }));
      expect((await run(['batch', file, '--renew-ids'])).exitCode).toBe(0);
      expect(sentIds()?.at(-1)).toBe(id);
    }
    await run(['batch', file]);
    expect(sentIds()).toHaveLength(3);
  });

  it('is sent under its old id when the registry recorded nothing under it', async () => {
    const file = fileOf('a.ndjson', linesOf(0));
    await run(['batch', file], {
      answer: (_, index) => (index === 0 ? refuse('VALIDATION_FAILED') : accept()),
    });
    fileOf('a.ndjson', lineOf(0, { poolCode: 'POOL-NORTH' }));
    expect((await run(['batch', file])).exitCode).toBe(0);
    expect(sentIds()).toEqual([idOf(0), idOf(0)]);
  });
});

describe('what was refused', () => {
  const rejection = (): Reply => {
    const finding = {
      level: 2,
      severity: 'ERROR',
      code: 'INVALID_FORMAT',
      field: 'vehicles[0].yearModel',
      message: 'It is "old", not a year.',
    };
    const data = acknowledge(422, { status: 'REJECTED', registryReference: null }).body as {
      data: object;
    };
    return {
      status: 422,
      body: {
        success: false,
        data: data.data,
        error: { code: 'VALIDATION_FAILED', message: 'No.', details: [finding] },
      },
    };
  };
  const HEADINGS =
    'vehicle.plateNumber;issuingInsurerCode;certificate.cocNumber;policy.policyNumber';

  it('is written with its errors in the format of the file, and can be sent from there', async () => {
    const rows = ['A 1;INS-ALPHA;C-1;P-1', 'B 1;INS-ALPHA;C-2;P-1', 'B 2;INS-ALPHA;C-2;P-1'];
    const file = fileOf('a.csv', [HEADINGS, ...rows].join('\n'));
    await run(['batch', file], {
      answer: ({ body }) => (body.toString().includes('"C-2"') ? rejection() : accept()),
    });
    const out = join(cli.folder, 'failed.csv');
    expect((await run(['batch', 'retry', file, '--failed-only', out])).exitCode).toBe(0);
    const errors = 'INVALID_FORMAT;vehicles[0].yearModel;"It is ""old"", not a year."';
    expect(readFileSync(out, 'utf8').split('\r\n')).toEqual([
      `\uFEFF${HEADINGS};error.code;error.field;error.message`,
      `B 1;INS-ALPHA;C-2;P-1;${errors}`,
      `B 2;INS-ALPHA;C-2;P-1;${errors}`,
      '',
    ]);
    await run(['batch', out]);
    expect(sentIds()).toHaveLength(3);
    expect(JSON.parse(cli.registry?.received[2]?.body.toString() ?? '').vehicles).toHaveLength(2);
  });

  it('is written as NDJSON with the next id, and sent without the description of its errors', async () => {
    const file = fileOf('a.ndjson', linesOf(0, 1));
    await run(['batch', file, '--concurrency', '1'], {
      answer: (_, index) => (index === 0 ? rejection() : accept()),
    });
    const out = join(cli.folder, 'failed.ndjson');
    await run(['batch', 'retry', file, '--failed-only', out]);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
      externalTransactionId: `${idOf(0)}.r2`,
      error: { code: 'INVALID_FORMAT', field: 'vehicles[0].yearModel' },
    });
    await run(['batch', out]);
    expect(JSON.parse(cli.registry?.received[2]?.body.toString() ?? '')).not.toHaveProperty(
      'error',
    );
  });

  it('is sent again under new ids by "retry"', async () => {
    const file = fileOf('a.ndjson', linesOf(0, 1));
    await run(['batch', file, '--concurrency', '1'], {
      answer: (_, index) => (index === 0 ? rejection() : accept()),
    });
    expect((await run(['batch', 'retry', file])).exitCode).toBe(0);
    expect(sentIds()).toEqual([idOf(0), idOf(1), `${idOf(0)}.r2`]);
  });

  it('is in the reports and in the status', async () => {
    const file = fileOf('a.ndjson', linesOf(0, 1));
    const csv = join(cli.folder, 'report.csv');
    const html = join(cli.folder, 'report.html');
    await run(['batch', file, '--concurrency', '1', '--report', csv], {
      answer: (_, index) => (index === 0 ? rejection() : accept()),
    });
    await run(['batch', 'report', file, html]);
    const [, first, second] = readFileSync(csv, 'utf8').split('\r\n');
    expect(first).toMatch(
      /^1,.*,rejected,,INVALID_FORMAT,vehicles\[0\]\.yearModel,"It is ""old"", not a year\."/,
    );
    expect(second).toMatch(/^2,.*,accepted,PPAI-2026-000000097,,,,/);
    expect(readFileSync(html, 'utf8')).toContain('<td>It is &quot;old&quot;, not a year.</td>');
    expect((await run(['batch', 'report', file, 'report.pdf'])).exitCode).toBe(2);
    const { data } = await run(['batch', 'status', file, '--json']);
    expect(JSON.parse(data)).toMatchObject({
      total: 2,
      unsent: 0,
      accepted: 1,
      rejected: 1,
      codes: { INVALID_FORMAT: 1 },
    });
    expect((await run(['batch', 'status', join(cli.folder, 'none.csv')])).exitCode).toBe(2);
  });
});

describe('a registry that does not answer', () => {
  it.each<[string, Reply]>([
    ['cuts connections', { status: 0, isCut: true }],
    ['answers 503', { status: 503, body: 'down' }],
    ['answers 500 with Retry-After', refuse('INTERNAL_ERROR', { headers: { 'retry-after': '1' } })],
  ])('and %s is waited for, and the batch continues', async (_case, fault) => {
    const file = fileOf('a.ndjson', linesOf(0));
    const { exitCode, messages } = await run(['batch', file], {
      answer: (_, index) => (index < 2 ? fault : accept()),
    });
    expect({ exitCode, sent: sentIds()?.length }).toEqual({ exitCode: 0, sent: 3 });
    expect(messages).toContain('The batch waits and tries again.');
  });

  it('for longer than --give-up-after makes the command exit with 6, and the batch resumes later', async () => {
    const file = fileOf('a.ndjson', linesOf(0, 1));
    const { exitCode, messages } = await run(
      ['batch', file, '--give-up-after', '0.01', '--concurrency', '1'],
      { answer: (_, index) => (index === 0 || index > 20 ? accept() : { status: 0, isCut: true }) },
    );
    expect(exitCode).toBe(6);
    expect(messages).toContain('Run the command again to resume the batch.');
    expect(messages).toContain('accepted 1,');
  });

  it('because a quota is used up is named as such', async () => {
    const file = fileOf('a.ndjson', linesOf(0));
    const { exitCode, messages } = await run(['batch', file], {
      answer: (_, index) =>
        index === 0 ? refuse('RATE_LIMITED', { headers: { 'retry-after': '1' } }) : accept(),
    });
    expect(exitCode).toBe(0);
    expect(messages).toContain('(429); it asks to wait 1 s');
  });
});

it('--json prints events as NDJSON', async () => {
  const file = fileOf('a.ndjson', linesOf(0));
  const { data } = await run(['batch', file, '--json'], { answer: accept });
  const events = data.split('\n').map((line) => JSON.parse(line));
  expect(events).toMatchObject([
    { event: 'started', total: 1, left: 1 },
    { event: 'settled', id: idOf(0), line: 1, end: 'accepted' },
    { event: 'finished', accepted: 1, codes: {} },
  ]);
});
