import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeCollections } from '../../ops/collections/write-collections.ts';
import type { Check } from './checks/check.ts';
import { checkCollection } from './checks/collection-checks.ts';
import { checkExample } from './checks/example-check.ts';
import { checkGuide, missingGuidePrograms } from './checks/guide-check.ts';
import { makeLiveChecks } from './checks/live-checks.ts';
import { type LiveRegistry, startLiveRegistry } from './checks/live-registry.ts';
import { checkPackage } from './checks/package-check.ts';
import { RETRY_CHECKS, STALL_CHECK } from './checks/retry-checks.ts';
import { SIGNATURE_CHECKS } from './checks/signature-checks.ts';
import { COLLECTION_RUNNERS, isInstalled } from './collection-runners.ts';
import { makeDrivenClient } from './driven-client.ts';
import { LANGUAGES, type Language, missingPrograms } from './languages.ts';
import { makeReport, type Report } from './report.ts';

/**
 * npm run clients: checks what integrators get (D41) against a running registry: the package of the TypeScript client, each
 * single-file client whose language is installed, also against the test vectors and scripted answers, and each collection whose
 * program is installed.
 */
async function main(): Promise<void> {
  const report = makeReport();
  const folder = mkdtempSync(join(tmpdir(), 'registry-clients-'));
  const registry = await startLiveRegistry();
  try {
    await report.check('package: is installed in an empty folder and transmits', () =>
      checkPackage(makeFolder(folder, 'package'), registry.access),
    );
    const missingForGuide = missingGuidePrograms();
    if (missingForGuide.length === 0)
      await report.check('docs/integrate.md: the commands with curl and openssl run', () =>
        checkGuide(makeFolder(folder, 'guide'), registry.access),
      );
    else report.skip('docs/integrate.md', `${missingForGuide.join(', ')} is not installed`);
    for (const language of LANGUAGES) {
      const missing = missingPrograms(language);
      if (missing.length === 0)
        await checkLanguage(report, language, registry, makeFolder(folder, language.name));
      else
        report.skip(
          language.name,
          `${missing.join(', ')} is not installed (Debian's package ${language.debianPackage})`,
        );
    }
    const collections = makeFolder(folder, 'collections');
    writeCollections(collections);
    for (const runner of COLLECTION_RUNNERS) {
      if (isInstalled(runner))
        await report.check(`${runner.name}: runs, and every signature is accepted`, () =>
          checkCollection(runner, collections, registry.access),
        );
      else
        report.skip(
          runner.name,
          `${runner.program} is not installed (the npm package ${runner.npmPackage})`,
        );
    }
  } finally {
    await registry.stop();
    rmSync(folder, { recursive: true });
  }
  if (report.end() > 0) process.exitCode = 1;
}

async function checkLanguage(
  report: Report,
  language: Language,
  { access }: LiveRegistry,
  folder: string,
): Promise<void> {
  const { name } = language;
  const client = await report.check(`${name}: is built`, () => makeDrivenClient(language, folder));
  if (client === undefined) return;
  const runCheck = (check: Check) =>
    report.check(`${name}: ${check.name}`, () => check.run(client, folder));
  const stalled = runCheck(STALL_CHECK);
  // One session, because the registry limits the number of tokens per minute and address.
  const session = client.open(access);
  for (const check of [...SIGNATURE_CHECKS, ...RETRY_CHECKS, ...makeLiveChecks(session)])
    await runCheck(check);
  await session.end();
  await report.check(`${name}: the examples of client/README.md run`, () =>
    checkExample(language, makeFolder(folder, 'example'), access),
  );
  await stalled;
}

function makeFolder(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder);
  return folder;
}

await main();
