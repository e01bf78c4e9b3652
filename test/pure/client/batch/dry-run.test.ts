import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { successEnvelope } from '../../../../shared/contract/machine/envelope.ts';
import type { TransmissionBody } from '../../../../shared/contract/machine/transmission.ts';
import type { ValidationResult } from '../../../../shared/contract/machine/transmissions/validation.ts';
import { BODY_EXAMPLES } from '../../../../shared/contract/openapi/body-examples.ts';
import { type ReceivedRequest, type Reply, refuse } from '../fake-registry.ts';
import { exampleLines, useCli } from '../run-cli.ts';

const example = BODY_EXAMPLES.transmit?.['jeepney'] as TransmissionBody;
const cli = useCli();
const { run, fileOf } = cli;

const idOf = (index: number) => `dry-run-000${index}`;
const lines = (count: number) => exampleLines('dry-run-000', count);
const leftBehind = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('registry-dry-run-'));

/** The second is rejected, the third is flagged, the fourth cannot be evaluated. */
function evaluate({ body }: ReceivedRequest): Reply {
  const index = Number(JSON.parse(body.toString()).externalTransactionId.slice(-1));
  if (index === 3) return refuse('FORBIDDEN');
  const isRejected = index === 1;
  const error = {
    level: 4,
    severity: 'ERROR',
    code: 'VEHICLE_ALREADY_INSURED',
    field: 'vehicles[0]',
    message: 'It has a cover.',
  };
  const result: Partial<ValidationResult> = {
    outcome: isRejected ? 'REJECTED' : index === 2 ? 'FLAGGED' : 'ACCEPTED',
    errorCode: isRejected ? 'VEHICLE_ALREADY_INSURED' : null,
    errors: (isRejected ? [error] : []) as ValidationResult['errors'],
    evaluatedAt: '2026-10-01T02:03:04.567Z',
  };
  return { status: 200, body: successEnvelope(result) };
}

describe('batch send --dry-run=registry', () => {
  it('asks for the outcome of each certificate, reports them, and registers nothing', async () => {
    const before = leftBehind();
    const file = fileOf('a.ndjson', lines(4));
    const report = join(cli.folder, 'report.csv');
    const { exitCode, messages } = await run(
      ['batch', file, '--dry-run=registry', '--report', report, '--concurrency', '1'],
      { answer: evaluate },
    );
    expect(exitCode).toBe(3);
    expect(messages).toContain('accepted 1, flagged 1, rejected 1, failed 1, inProgress 0');
    expect(messages).toContain('Most frequent codes: VEHICLE_ALREADY_INSURED 1, FORBIDDEN 1');
    expect(messages).toContain('This was a dry run: nothing was registered.');
    const { policy, certificate, vehicles } = example;
    expect(messages).toContain(
      `Line 2, policy ${policy.policyNumber}, COC ${certificate.cocNumber}, plate ${vehicles[0]?.plateNumber}: 422 VEHICLE_ALREADY_INSURED (VEHICLE_ALREADY_INSURED vehicles[0])`,
    );
    expect(readFileSync(report, 'utf8')).toMatch(
      /\r\n2,.*,rejected,,VEHICLE_ALREADY_INSURED,vehicles\[0\],It has a cover\.,/,
    );
    const targets = cli.registry?.received.map(({ target }) => target);
    expect(new Set(targets)).toEqual(new Set(['/api/v1/ppai/policies/validation']));
    expect(targets).toHaveLength(4);
    expect(existsSync(`${file}.journal.ndjson`)).toBe(false);
    expect(leftBehind()).toEqual(before);
  });

  it('does not ask while this machine finds problems', async () => {
    const file = fileOf(
      'a.ndjson',
      JSON.stringify({ ...example, vehicles: [{ yearModel: 'old' }] }),
    );
    const { exitCode, messages } = await run(['batch', file, '--dry-run=registry'], {
      answer: evaluate,
    });
    expect(exitCode).toBe(3);
    expect(messages).toMatch(/^Line 1, policy .*vehicles\.0\.yearModel: /m);
    expect(cli.registry?.received).toEqual([]);
  });

  it('prints its outcomes as events with --json', async () => {
    const file = fileOf('a.ndjson', lines(1));
    const { exitCode, data } = await run(['batch', file, '--dry-run=registry', '--json'], {
      answer: evaluate,
    });
    expect(exitCode).toBe(0);
    expect(data.split('\n').map((line) => JSON.parse(line))).toMatchObject([
      { event: 'checked', total: 1, refused: 0 },
      { event: 'started', total: 1, left: 1 },
      { event: 'settled', id: idOf(0), end: 'accepted', transmissionReference: null },
      { event: 'finished', accepted: 1 },
    ]);
  });

  it('is refused for another place', async () => {
    const { exitCode, messages } = await run(['batch', fileOf('a.ndjson', ''), '--dry-run=moon']);
    expect(exitCode).toBe(2);
    expect(messages).toContain('local, registry');
  });
});
