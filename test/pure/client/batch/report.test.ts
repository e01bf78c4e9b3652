import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { TransmissionBody } from '../../../../shared/contract/machine/transmission.ts';
import { BODY_EXAMPLES } from '../../../../shared/contract/openapi/body-examples.ts';
import { acknowledge, type ReceivedRequest, refuse } from '../fake-registry.ts';
import { readJournalOf, useCli } from '../run-cli.ts';

const example = BODY_EXAMPLES.transmit?.['jeepney'] as TransmissionBody;
const cli = useCli();
const { run, fileOf } = cli;

const [vehicle = {}] = example.vehicles;
const lines = ['<b>&amp', '=1+1', 'P-3', 'P-4'].map((policyNumber, index) =>
  JSON.stringify({
    ...example,
    externalTransactionId: `report-000${index}`,
    policy: { ...example.policy, policyNumber },
    certificate: { ...example.certificate, cocNumber: `C-${index}` },
    vehicles: [{ ...vehicle, plateNumber: `P${index}` }],
  }),
);
const CODES = { 'C-1': 'VEHICLE_ALREADY_INSURED', 'C-2': 'FORBIDDEN', 'C-3': 'FORBIDDEN' } as const;

function answer({ body }: ReceivedRequest) {
  const coc: string = JSON.parse(body.toString()).certificate.cocNumber;
  return coc in CODES ? refuse(CODES[coc as keyof typeof CODES]) : acknowledge(201);
}

async function sendWith(report: string): Promise<string> {
  const file = join(cli.folder, report);
  await run(['batch', fileOf('a.ndjson', lines.join('\n')), '--report', file], { answer });
  return readFileSync(file, 'utf8');
}

it('a report as CSV names line, policy, COC number, plate and outcome of every certificate', async () => {
  const rows: Record<string, string>[] = parse(await sendWith('a.csv'), {
    bom: true,
    columns: true,
  });
  const told = rows.map((row) => [
    row['line'],
    row['policy'],
    row['coc'],
    row['plate'],
    row['outcome'],
    row['error.code'],
  ]);
  // A spreadsheet would run a cell that begins with an equals sign.
  expect(told.sort(([one = ''], [other = '']) => one.localeCompare(other))).toEqual([
    ['1', '<b>&amp', 'C-0', 'P0', 'accepted', ''],
    ['2', "'=1+1", 'C-1', 'P1', 'rejected', 'VEHICLE_ALREADY_INSURED'],
    ['3', 'P-3', 'C-2', 'P2', 'failed', 'FORBIDDEN'],
    ['4', 'P-4', 'C-3', 'P3', 'failed', 'FORBIDDEN'],
  ]);
});

it('a report as HTML has the same, and a summary that names the most frequent codes first', async () => {
  const html = await sendWith('a.html');
  expect(html).toContain('<p>accepted 1, flagged 0, rejected 1, failed 2, inProgress 0</p>');
  expect(html).toContain('<p>Most frequent codes: FORBIDDEN 2, VEHICLE_ALREADY_INSURED 1</p>');
  expect(html).toContain('<td>1</td><td>&lt;b&gt;&amp;amp</td><td>C-0</td><td>P0</td>');
  expect(html.match(/<tr class=/g)).toHaveLength(4);
});

it('a report has a row for each certificate without an outcome yet, and names how many were not sent', async () => {
  const file = fileOf('a.ndjson', lines.join('\n'));
  await run(['batch', file], { answer });
  const [header, ...settled] = readJournalOf(file);
  // The journal has the certificates in the order of their answers, and only an accepted one has a receipt.
  const { end: _, ...accepted } = settled.find(({ end }) => end === 'accepted') ?? {};
  const sent = { ...accepted, type: 'sent' };
  const kept = [header, sent].map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(`${file}.journal.ndjson`, kept.join(''));
  const report = join(cli.folder, 'open.csv');
  const { messages } = await run(['batch', 'report', file, report]);
  const rows: Record<string, string>[] = parse(readFileSync(report), { bom: true, columns: true });
  expect(rows).toMatchObject([
    {
      line: '1',
      outcome: 'inProgress',
      transmissionReference: accepted['transmissionReference'],
    },
  ]);
  expect(messages).toContain('3 certificates are not sent yet and not in it.');
});

it('a finding without a field leaves its column empty', async () => {
  const file = fileOf('a.ndjson', lines[0] ?? '');
  const report = join(cli.folder, 'a.csv');
  const details = [{ severity: 'ERROR', code: 'NOT_COVERED', field: null, message: 'No.' }];
  await run(['batch', file, '--report', report], {
    answer: () => ({
      status: 422,
      body: {
        success: false,
        data: null,
        error: { code: 'VALIDATION_FAILED', message: 'No.', details },
      },
    }),
  });
  const [row]: Record<string, string>[] = parse(readFileSync(report), { bom: true, columns: true });
  expect(row).toMatchObject({ 'error.code': 'NOT_COVERED', 'error.field': '' });
});
