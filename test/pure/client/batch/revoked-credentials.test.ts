import { makeFakeFeed } from '../fake-feed.ts';
import { acknowledge, issueToken, type ReceivedRequest, refuse } from '../fake-registry.ts';
import { exampleLines, readJournalOf, useCli } from '../run-cli.ts';

const cli = useCli();
const { run, fileOf } = cli;

const lines = exampleLines('revoked-00', 9);
const endsIn = (file: string) => readJournalOf(file).map(({ end }) => end);

it.each(['INVALID_TOKEN', 'INVALID_CREDENTIALS', 'INVALID_SIGNATURE', 'IP_NOT_ALLOWED'] as const)(
  'a batch that is refused with %s stops, and a later run sends the rest',
  async (code) => {
    const file = fileOf('a.ndjson', lines);
    let isRefused = true;
    const answer = (_: ReceivedRequest, index: number) =>
      isRefused && index >= 2 ? refuse(code) : acknowledge(201);
    const { exitCode, messages } = await run(['batch', file, '--concurrency', '1'], { answer });
    expect(exitCode).toBe(3);
    expect(messages).toContain(
      'The batch stops. Run it again when the cause is mended, and it sends the rest.',
    );
    expect(messages).toContain(`${code}: `);
    expect(messages).toContain(
      'accepted 2, flagged 0, rejected 0, failed 0, inProgress 0, not sent yet 7',
    );
    expect(endsIn(file)).not.toContain('failed');
    isRefused = false;
    expect(await run(['batch', file])).toMatchObject({
      exitCode: 0,
      messages: expect.stringContaining('accepted 9,'),
    });
  },
);

it('so does a batch whose outcomes come from the change feed', async () => {
  const feed = makeFakeFeed();
  const file = fileOf('a.ndjson', lines);
  let sent = 0;
  const { exitCode, messages } = await run(['batch', file, '--async', '--concurrency', '1'], {
    answer: (request) => {
      const isTransmission = request.target.startsWith('/api/v1/ppai/policies');
      if (isTransmission) sent += 1;
      return isTransmission && sent > 2 ? refuse('IP_NOT_ALLOWED') : feed.answer(request);
    },
  });
  expect(exitCode).toBe(3);
  expect(messages).toContain('not sent yet 7');
  expect(endsIn(file)).not.toContain('failed');
});

it.each([
  ['sends', []],
  ['asks the registry about', ['--dry-run=registry']],
])('a client that may not transmit is told so once when it %s a file', async (_what, options) => {
  const { exitCode, messages } = await run(['batch', fileOf('a.ndjson', lines), ...options], {
    answer: () => refuse('FORBIDDEN'),
    tokenReply: (index) => issueToken(index, { scope: 'ppai:read vehicles:verify' }),
  });
  expect(exitCode).toBe(3);
  expect(messages).toMatch(/client-1 lacks the scope ppai:transmit\. Nothing was sent/);
  expect(cli.registry?.received).toEqual([]);
});
