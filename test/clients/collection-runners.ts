import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { BRUNO_ENVIRONMENT } from '../../ops/collections/bruno.ts';
import { BRUNO_FOLDER, POSTMAN_FILE } from '../../ops/collections/write-collections.ts';
import type { RegistryAccess } from './driven-client.ts';

/** A program that runs a generated collection from its command line. It is not a dependency, because it brings hundreds of packages. */
export interface CollectionRunner {
  readonly name: string;
  readonly program: string;
  readonly npmPackage: string;
  /** Runs the collection below `folder` and returns the HTTP status of each request by its name. Throws when a request has none. */
  readonly run: (folder: string, access: RegistryAccess) => Promise<Map<string, number>>;
}

const REPORT = 'report.json';
const BrunoReport = z.array(
  z.object({
    results: z.array(z.object({ name: z.string(), response: z.object({ status: z.number() }) })),
  }),
);
const NewmanReport = z.object({
  run: z.object({
    executions: z.array(
      z.object({
        item: z.object({ name: z.string() }),
        response: z.object({ code: z.number() }),
      }),
    ),
  }),
});

export const COLLECTION_RUNNERS: readonly CollectionRunner[] = [
  {
    name: 'Bruno collection',
    program: 'bru',
    npmPackage: '@usebruno/cli',
    async run(folder, access) {
      const report = join(folder, REPORT);
      const variables = variablesOf(access).flatMap((variable) => ['--env-var', variable]);
      await runToEnd(
        ['bru', 'run', '-r', '--env', BRUNO_ENVIRONMENT, ...variables, '--reporter-json', report],
        join(folder, BRUNO_FOLDER),
      );
      const [iteration] = BrunoReport.parse(readJson(report));
      return new Map(iteration?.results.map(({ name, response }) => [name, response.status]));
    },
  },
  {
    name: 'Postman collection',
    program: 'newman',
    npmPackage: 'newman',
    async run(folder, access) {
      const report = join(folder, REPORT);
      const variables = variablesOf(access).flatMap((variable) => ['--env-var', variable]);
      const reporter = ['--reporters', 'json', '--reporter-json-export', report];
      await runToEnd(['newman', 'run', POSTMAN_FILE, ...variables, ...reporter], folder);
      const { executions } = NewmanReport.parse(readJson(report)).run;
      return new Map(executions.map(({ item, response }) => [item.name, response.code]));
    },
  },
];

export function isInstalled({ program }: CollectionRunner): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

function variablesOf({ url, clientId, clientSecret, signingSecret }: RegistryAccess): string[] {
  const variables = { baseUrl: url, clientId, clientSecret, signingSecret };
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`);
}

async function runToEnd([program = '', ...args]: readonly string[], cwd: string): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${printed.slice(-2_000)}`);
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
