import { readFileSync, writeFileSync } from 'node:fs';
import type { TransmissionBody } from '../../../../shared/contract/machine/transmission.ts';
import { BODY_EXAMPLES } from '../../../../shared/contract/openapi/body-examples.ts';
import { makeFakeFeed } from '../fake-feed.ts';
import { useCli } from '../run-cli.ts';

const example = BODY_EXAMPLES.transmit?.['jeepney'] as TransmissionBody;
const cli = useCli();
const { run, fileOf } = cli;

const idOf = (index: number) => `async-${String(index).padStart(6, '0')}`;
const linesOf = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({ ...example, externalTransactionId: idOf(index) }),
  ).join('\n');
const isRejected = (id: string) => id.endsWith('7');
const requests = () => cli.registry?.received ?? [];
const sends = () => requests().filter(({ target }) => target.startsWith('/api/v1/ppai/policies'));

describe('a batch that is sent without waiting', () => {
  it('settles every certificate from the feed, and those that were rejected with their findings', async () => {
    const feed = makeFakeFeed((id) => (isRejected(id) ? 'REJECTED' : 'ACCEPTED'));
    const file = fileOf('a.ndjson', linesOf(1_200));
    const { exitCode, messages } = await run(['batch', file, '--batch', 'night-0001'], feed);
    expect(exitCode).toBe(3);
    expect(messages).toContain('accepted 1080, flagged 0, rejected 120, failed 0, inProgress 0');
    expect(messages).toContain('Most frequent codes: REQUIRED 120');
    expect(sends()).toHaveLength(1_200);
    expect(sends()[0]).toMatchObject({
      target: '/api/v1/ppai/policies?batch=night-0001',
      headers: { prefer: 'respond-async' },
    });
    expect((requests().length - sends().length) / sends().length).toBeLessThan(0.02);
  });

  it('looks up what the feed does not bring, and resumes without sending it again', async () => {
    const feed = makeFakeFeed();
    feed.silence();
    const file = fileOf('a.ndjson', linesOf(3));
    const first = await run(['batch', file, '--async', '--deadline', '0'], feed);
    expect(first).toMatchObject({ exitCode: 0, messages: expect.stringContaining('accepted 3') });

    const journal = `${file}.journal.ndjson`;
    const withoutOutcomes = readFileSync(journal, 'utf8')
      .split('\n')
      .filter((line) => !line.includes('"type":"settled"'));
    writeFileSync(journal, withoutOutcomes.join('\n'));
    feed.received.delete(idOf(1));
    const before = sends().length;
    expect((await run(['batch', file, '--async', '--deadline', '0'])).exitCode).toBe(0);
    const again = sends()
      .slice(before)
      .map(({ body }) => JSON.parse(body.toString()));
    expect(again).toMatchObject([{ externalTransactionId: idOf(1) }]);
  });

  it('exits with 4 when outcomes are missing at the deadline', async () => {
    const feed = makeFakeFeed(() => 'VALIDATING');
    const file = fileOf('a.ndjson', linesOf(2));
    const { exitCode, messages } = await run(['batch', file, '--async', '--deadline', '1'], feed);
    expect(exitCode).toBe(4);
    expect(messages).toContain('without an outcome yet 2');
  });

  it('exits with 6 when the registry stays away, and another run settles the batch', async () => {
    const feed = makeFakeFeed();
    const file = fileOf('a.ndjson', linesOf(20));
    let state: 'up' | 'away' | 'back' = 'up';
    const answer: typeof feed.answer = (request) => {
      if (state === 'up' && feed.received.size === 10) state = 'away';
      return state === 'away' ? { status: 0, isCut: true } : feed.answer(request);
    };
    const away = await run(['batch', file, '--async', '--give-up-after', '0.01'], { answer });
    expect(away.exitCode).toBe(6);
    expect(away.messages).toContain('Run the command again to resume the batch.');

    state = 'back';
    const again = await run(['batch', file, '--async']);
    expect(again).toMatchObject({ exitCode: 0, messages: expect.stringContaining('accepted 20') });
    expect(feed.received.size).toBe(20);
  });
});
