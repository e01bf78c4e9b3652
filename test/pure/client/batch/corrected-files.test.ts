import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TransmissionBody } from '../../../../shared/contract/machine/transmission.ts';
import { BODY_EXAMPLES } from '../../../../shared/contract/openapi/body-examples.ts';
import { acknowledge, acknowledgment, type ReceivedRequest, type Reply } from '../fake-registry.ts';
import { useCli } from '../run-cli.ts';

const example = BODY_EXAMPLES.transmit?.['jeepney'] as TransmissionBody;
const cli = useCli();
const { run, fileOf } = cli;

const HEADINGS =
  'vehicle.plateNumber,issuingInsurerCode,certificate.cocNumber,policy.policyNumber,policy.remarks';
const csv = (...rows: string[]) => [HEADINGS, ...rows].join('\n');
const GOOD = 'A 1,INS-ALPHA,C-1,P-1,';
const WRONG = 'B 1,INS-ALPHA,C-2,P-1,wrong';
const CORRECTED = 'B 1,INS-ALPHA,C-2,P-1,';

/** Rejects what contains "wrong". */
function answer({ body }: ReceivedRequest): Reply {
  if (!body.toString().includes('wrong')) return acknowledge(201);
  const data = acknowledgment({ status: 'REJECTED', registryReference: null });
  return {
    status: 422,
    body: { success: false, data, error: { code: 'VALIDATION_FAILED', message: 'No.' } },
  };
}

const lineOf = (id: string, changes: object = {}) =>
  JSON.stringify({ ...example, externalTransactionId: id, ...changes });

describe('a corrected row of a table without ids', () => {
  it('replaces the refused one in totals, exit code, status, report and list of failed rows', async () => {
    const file = fileOf('a.csv', csv(GOOD, WRONG));
    expect((await run(['batch', file], { answer })).exitCode).toBe(3);
    fileOf('a.csv', csv(GOOD, CORRECTED));
    const corrected = await run(['batch', file]);
    expect(corrected.exitCode).toBe(0);
    expect(corrected.messages).toContain(
      'accepted 2, flagged 0, rejected 0, failed 0, inProgress 0',
    );
    const { data } = await run(['batch', 'status', file, '--json']);
    expect(JSON.parse(data)).toMatchObject({ total: 2, unsent: 0, accepted: 2, rejected: 0 });
    const report = join(cli.folder, 'report.csv');
    await run(['batch', 'report', file, report]);
    expect(readFileSync(report, 'utf8').trim().split('\r\n')).toHaveLength(3);
    const failed = join(cli.folder, 'failed.csv');
    const { messages } = await run(['batch', 'retry', file, '--failed-only', failed]);
    expect(messages).toContain('0 refused certificates');
  });

  it('counts again when the file is as before', async () => {
    const file = fileOf('a.csv', csv(GOOD, WRONG));
    await run(['batch', file], { answer });
    fileOf('a.csv', csv(GOOD, CORRECTED));
    await run(['batch', file]);
    fileOf('a.csv', csv(GOOD, WRONG));
    expect((await run(['batch', file])).exitCode).toBe(3);
    expect(cli.registry?.received).toHaveLength(3);
  });
});

describe('a certificate that changed after the registry accepted it', () => {
  it('is named with the advice to amend it', async () => {
    const file = fileOf('a.ndjson', lineOf('accepted-1'));
    await run(['batch', file], { answer });
    fileOf('a.ndjson', lineOf('accepted-1', { poolCode: 'POOL-NORTH' }));
    const { exitCode, messages } = await run(['batch', file]);
    expect(exitCode).toBe(2);
    expect(messages).toContain(
      'Line 1: accepted-1 has changed since it was sent. The registry has accepted it: amend the record instead.',
    );
  });

  it('is not named so when the registry rejected it', async () => {
    const file = fileOf('a.ndjson', lineOf('rejected-1', { note: 'wrong' }));
    await run(['batch', file], { answer });
    fileOf('a.ndjson', lineOf('rejected-1'));
    const { messages } = await run(['batch', file]);
    expect(messages).toContain('Line 1: rejected-1 has changed since it was sent.\n');
  });
});

it('a certificate is not sent under the id of another one of the file', async () => {
  const lines = [lineOf('twice-01', { note: 'wrong' }), lineOf('twice-01.r2')];
  const file = fileOf('a.ndjson', lines.join('\n'));
  await run(['batch', file], { answer });
  const { exitCode, messages } = await run(['batch', 'retry', file]);
  expect({ exitCode, sent: cli.registry?.received.length }).toEqual({ exitCode: 2, sent: 2 });
  expect(messages).toContain(
    'Line 1: twice-01 would be sent as twice-01.r2, which is the externalTransactionId of line 2.',
  );
});

it.each([
  ['a.csv', csv(WRONG), 'failed.xlsx', 'failed.txt'],
  ['a.csv', csv(WRONG), 'failed.ndjson', 'failed.csv'],
  ['a.ndjson', lineOf('failed-01', { note: 'wrong' }), 'failed.csv', 'failed.ndjson'],
])(
  'failed rows of %# are written only to a file of the same format',
  async (name, text, other, same) => {
    const file = fileOf(name, text);
    await run(['batch', file], { answer });
    const writeTo = (out: string) =>
      run(['batch', 'retry', file, '--failed-only', join(cli.folder, out)]);
    expect((await writeTo(other)).exitCode).toBe(2);
    expect((await writeTo(same)).exitCode).toBe(0);
  },
);
