import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { BODY_EXAMPLES } from '../../../shared/contract/openapi/body-examples.ts';
import { makeFakeFeed } from './fake-feed.ts';
import { useCli } from './run-cli.ts';

const example = BODY_EXAMPLES.transmit?.['jeepney'] as TransmissionBody;
const cli = useCli();
const { run, fileOf } = cli;

const linesOf = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({ ...example, externalTransactionId: `mirror-${index}` }),
  ).join('\n');

describe('a mirror', () => {
  it('appends every change once, and continues after an interruption within a line', async () => {
    const feed = makeFakeFeed();
    await run(['batch', fileOf('a.ndjson', linesOf(3)), '--deadline', '0'], feed);
    const file = join(cli.folder, 'mirror.ndjson');
    const linesIn = () =>
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    expect((await run(['mirror', file, '--once'])).exitCode).toBe(0);
    expect(linesIn()).toEqual(feed.changes);
    const text = readFileSync(file, 'utf8');
    for (const torn of [
      text.slice(0, -1),
      text.slice(0, -20),
      `${text}{"cur`,
      '{"cur',
      `${text}\0\0`,
    ]) {
      writeFileSync(file, torn);
      await run(['mirror', file, '--once']);
      expect(linesIn()).toEqual(feed.changes);
    }
  });

  it('does not touch a file that is not a mirror', async () => {
    const file = fileOf('notes.txt', 'My notes');
    const { exitCode } = await run(['mirror', file, '--once'], makeFakeFeed());
    expect({ exitCode, text: readFileSync(file, 'utf8') }).toEqual({
      exitCode: 2,
      text: 'My notes',
    });
  });
});
