import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../client/cli.ts';
import { BODY_EXAMPLES } from '../../../shared/contract/openapi/body-examples.ts';
import {
  CREDENTIALS,
  type FakeOptions,
  type FakeRegistry,
  issueToken,
  startFakeRegistry,
} from './fake-registry.ts';

export const ENVIRONMENT = {
  REGISTRY_CLIENT_ID: CREDENTIALS.clientId,
  REGISTRY_CLIENT_SECRET: CREDENTIALS.clientSecret,
  REGISTRY_SIGNING_SECRET: CREDENTIALS.signingSecret,
};

/** Transmissions of the example with the ids `<prefix>0`, `<prefix>1` …, one a line. */
export function exampleLines(prefix: string, count: number): string {
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      ...BODY_EXAMPLES.transmit?.['jeepney'],
      externalTransactionId: `${prefix}${index}`,
    }),
  ).join('\n');
}

/** The lines of the journal of a file. */
export function readJournalOf(file: string): Record<string, unknown>[] {
  const text = readFileSync(`${file}.journal.ndjson`, 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line));
}

/** The command line with a temporary folder and, if the test gives answers, a fake registry. */
export function useCli() {
  let folder: string;
  let registry: FakeRegistry | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cli-'));
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await registry?.close();
    registry = undefined;
  });

  async function run(
    args: readonly string[],
    {
      answer,
      tokenReply = issueToken,
      input = '',
      environment = ENVIRONMENT,
    }: Partial<FakeOptions> & { input?: string; environment?: NodeJS.ProcessEnv } = {},
  ) {
    if (answer) registry = await startFakeRegistry({ answer, tokenReply });
    const data: string[] = [];
    const messages: string[] = [];
    const exitCode = await runCli(args, {
      environment: { ...environment, REGISTRY_URL: registry?.url ?? 'http://127.0.0.1:9' },
      console: { data: (text) => data.push(text), message: (text) => messages.push(text) },
      readInput: () => Buffer.from(input),
    });
    return { exitCode, data: data.join('\n'), messages: messages.join('\n') };
  }

  function fileOf(name: string, text: string): string {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  }
  return {
    run,
    fileOf,
    get registry() {
      return registry;
    },
    get folder() {
      return folder;
    },
  };
}
