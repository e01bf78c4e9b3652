import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_CLIENTS_FILE, DemoCredentials, type SeededClient } from '../../../ops/seed.ts';
import { type SeededTemplate, seededTemplate } from '../servers/seeded-template.ts';

export interface Demonstration {
  readonly keys: SeededTemplate['keys'];
  readonly clients: readonly SeededClient[];
}

/** Copies the credentials file of `makeSeededDatabase` into a DATA_DIR. */
export function copyDemonstration(toDataDir: string): Demonstration {
  const { dataDir, keys } = seededTemplate();
  const path = join(toDataDir, DEMO_CLIENTS_FILE);
  copyFileSync(join(dataDir, DEMO_CLIENTS_FILE), path);
  return { keys, clients: DemoCredentials.parse(JSON.parse(readFileSync(path, 'utf8'))).clients };
}
