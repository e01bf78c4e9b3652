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

  it.each(['My notes', '{\n  "clients": []\n}\n', '\nMy notes\n', '{"cursor":1}\n'])(
    'does not touch a file that is not a mirror: %j',
    async (text) => {
      const file = fileOf('notes.txt', text);
      const { exitCode } = await run(['mirror', file, '--once'], makeFakeFeed());
      expect({ exitCode, text: readFileSync(file, 'utf8') }).toEqual({ exitCode: 2, text });
    },
  );

  it('is written by one command at a time', async () => {
    const file = fileOf('mirror.ndjson', '');
    fileOf('mirror.ndjson.lock', String(process.ppid));
    const { exitCode, messages } = await run(['mirror', file, '--once'], makeFakeFeed());
    expect(exitCode).toBe(2);
    expect(messages).toContain('is in use by another run');
  });

  it('says how to begin again when its cursor is unknown', async () => {
    const file = fileOf('mirror.ndjson', '{"cursor":"of-another-registry"}\n');
    const finding = { level: 2, code: 'CURSOR_UNKNOWN', severity: 'ERROR', field: 'after' };
    const body = {
      success: false,
      data: null,
      error: { code: 'VALIDATION_FAILED', message: 'no', details: [finding] },
    };
    const { exitCode, messages } = await run(['mirror', file, '--once'], {
      answer: () => ({ status: 422, body }),
    });
    expect(exitCode).toBe(3);
    expect(messages).toContain(`Move ${file} away`);
  });
});
