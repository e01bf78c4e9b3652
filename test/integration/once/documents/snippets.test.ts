import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectRoot } from '../../../../shared/platform/project-root.ts';
import { clientEnvironment } from '../../../env/client-environment.ts';
import { findDifference } from '../../../env/guide/compare-output.ts';
import {
  type GuideSandbox,
  SHOWN_URL,
  startGuideSandbox,
} from '../../../env/guide/guide-sandbox.ts';
import { makeProjectCopy, type ProjectCopy } from '../../../env/guide/project-copy.ts';
import { checkTypes, runProgram } from '../../../env/guide/run-program.ts';
import { readDemoClient, setSandboxDay } from '../../../env/guide/sandbox-day.ts';
import { type Shell, startShell } from '../../../env/guide/shell.ts';
import { readSnippets, type Snippet } from '../../../env/guide/snippets.ts';
import { TIMEOUT_MS } from '../../../env/server-timeouts.ts';

jest.setTimeout(4 * TIMEOUT_MS);

/** A day on which the certificates of the documents are in force. */
const DAY = '2026-12-01';

const snippetsOf = (document: string, language: string): Snippet[] =>
  readSnippets(readFileSync(join(findProjectRoot(), document), 'utf8')).filter(
    (snippet) => snippet.language === language,
  );

const [startOfSandbox, ...commands] = snippetsOf('docs/integrate.md', 'sh');
/** The later blocks of a document continue its first one. */
const programs = ['docs/sandbox.md', 'client/README.md'].map((document) => {
  const blocks = snippetsOf(document, 'ts');
  return {
    document,
    code: blocks.map(({ code }) => code).join('\n'),
    output: blocks.map(({ output = '…\n' }) => output).join(''),
  };
});

let copy: ProjectCopy;
let sandbox: GuideSandbox;
let shell: Shell;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  copy = makeProjectCopy();
  sandbox = await startGuideSandbox(copy, startOfSandbox?.code ?? '');
  const client = readDemoClient(join(copy.folder, '.data', 'sandbox'));
  await setSandboxDay(sandbox.url, client, DAY);
  shell = startShell('sh', { cwd: copy.folder, env: copy.env });
  environment = { ...copy.env, ...clientEnvironment(sandbox.url, client) };
  // The examples of client/README.md read it from their own folder.
  copyFileSync(join(copy.folder, 'docs', 'first.json'), join(copy.folder, 'first.json'));
});
afterAll(async () => {
  await shell?.end();
  await sandbox?.stop();
  copy?.remove();
});

function expectShown({ output }: Pick<Snippet, 'output'>, printed: string): void {
  const withShownUrl = printed.replaceAll(sandbox.url, SHOWN_URL);
  if (output !== undefined) expect(findDifference(output, withShownUrl)).toBeUndefined();
}

it('docs/integrate.md starts a sandbox', () => {
  if (startOfSandbox !== undefined) expectShown(startOfSandbox, sandbox.printed);
});

describe('the commands of docs/integrate.md', () => {
  it.each(commands)('at line $line print what it shows', async (snippet) => {
    const code = snippet.code.replaceAll(SHOWN_URL, sandbox.url);
    expectShown(snippet, await shell.run(code));
  });
});

describe('the TypeScript programs', () => {
  it('compile', () => {
    checkTypes(
      copy,
      programs.map(({ code }) => code),
    );
  });

  it.each(programs)('of $document print what it shows', async (snippet) => {
    expectShown(snippet, await runProgram(copy, environment, snippet.code));
  });
});
