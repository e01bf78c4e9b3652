import { successEnvelope } from '../../../../shared/contract/machine/envelope.ts';
import type { TransmissionBody } from '../../../../shared/contract/machine/transmission.ts';
import { BODY_EXAMPLES } from '../../../../shared/contract/openapi/body-examples.ts';
import { BATCH_EXAMPLE } from '../../../../shared/contract/openapi/own-transmission-examples.ts';
import { acknowledge, type ReceivedRequest, type Reply, refuse } from '../fake-registry.ts';
import { ENVIRONMENT, useCli } from '../run-cli.ts';

const example = BODY_EXAMPLES.transmit?.['jeepney'] as TransmissionBody;
const cli = useCli();
const { run, fileOf } = cli;

const NAME = 'night-0001';
const IN_JOURNAL = 'accepted 2, flagged 0, rejected 0, failed 0, inProgress 0';
const progress = (): Reply => ({ status: 200, body: successEnvelope(BATCH_EXAMPLE) });

/** A file of which two certificates were sent, to a registry that answers questions about its batch in this way. */
async function sendTwo(answerAboutBatch: () => Reply): Promise<string> {
  const lines = ['status-0001', 'status-0002'].map((externalTransactionId) =>
    JSON.stringify({ ...example, externalTransactionId }),
  );
  const file = fileOf('a.ndjson', lines.join('\n'));
  const answer = ({ target }: ReceivedRequest) =>
    target.startsWith('/api/v1/ppai/batches/') ? answerAboutBatch() : acknowledge(201);
  await run(['batch', file, '--batch', NAME], { answer });
  return file;
}

describe('batch status', () => {
  it('shows the batch by its journal and by the registry, also while it is being sent', async () => {
    const file = await sendTwo(progress);
    fileOf('a.ndjson.journal.ndjson.lock', String(process.pid));
    const { exitCode, data } = await run(['batch', 'status', file]);
    expect(exitCode).toBe(0);
    expect(cli.registry?.received.at(-1)?.target).toBe(`/api/v1/ppai/batches/${NAME}`);
    expect(data.split('\n')).toEqual([
      `a.ndjson, batch ${NAME}, sent to ${cli.registry?.url}`,
      '2 certificates',
      IN_JOURNAL,
      'At the registry: received 1000: RECEIVED 240, VALIDATING 10, ACCEPTED 720, FLAGGED 25, REJECTED 5',
      'Rejected at the registry: VALIDATION_FAILED 4, VEHICLE_ALREADY_INSURED 1',
      'Estimated completion of what it has received: 2026-10-01T02:03:11.000Z',
    ]);
  });

  it('as JSON has both', async () => {
    const file = await sendTwo(progress);
    const { data } = await run(['batch', 'status', file, '--json']);
    expect(JSON.parse(data)).toMatchObject({ total: 2, accepted: 2, registry: BATCH_EXAMPLE });
  });

  it.each<[string, () => Reply, RegExp]>([
    [
      'knows nothing of it yet',
      () => refuse('NOT_FOUND'),
      /At the registry: It has received nothing/,
    ],
    ['refuses to answer', () => refuse('FORBIDDEN'), /At the registry: 403 FORBIDDEN/],
    [
      'cuts the connection',
      () => ({ status: 0, isCut: true }),
      /At the registry: .* got no answer/,
    ],
  ])('shows the journal when the registry %s', async (_case, reply, message) => {
    const file = await sendTwo(reply);
    const { exitCode, data } = await run(['batch', 'status', file]);
    expect(exitCode).toBe(0);
    expect(data).toContain(IN_JOURNAL);
    expect(data).toMatch(message);
  });

  it('does not ask another registry, or as another client', async () => {
    const file = await sendTwo(progress);
    const before = cli.registry?.received.length;
    const other = await run(['--base-url', 'http://127.0.0.1:9', 'batch', 'status', file]);
    expect(other.data).toContain(`Not asked, because the batch was sent to ${cli.registry?.url}`);
    const environment = { ...ENVIRONMENT, REGISTRY_CLIENT_ID: 'client-2' };
    const { data } = await run(['batch', 'status', file], { environment });
    expect(data).toContain('Not asked, because the batch was sent by the client client-1');
    const without = await run(['batch', 'status', file], { environment: {} });
    expect(without).toMatchObject({
      exitCode: 0,
      data: expect.stringContaining('At the registry: No credentials'),
    });
    expect(cli.registry?.received.length).toBe(before);
  });

  it('by name needs no journal', async () => {
    await sendTwo(progress);
    const { exitCode, data } = await run(['batch', 'status', '--batch', NAME]);
    expect({ exitCode, data }).toEqual({
      exitCode: 0,
      data: expect.stringMatching(/^At the registry: received 1000/),
    });
    expect((await run(['batch', 'status'])).exitCode).toBe(2);
  });

  it('by name exits with 3 when the registry does not know it', async () => {
    await sendTwo(() => refuse('NOT_FOUND'));
    expect((await run(['batch', 'status', '--batch', NAME])).exitCode).toBe(3);
  });
});
