import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { ClientCredentials } from './credentials.ts';
import { UsageError } from './exit-codes.ts';

const Profile = z.object({
  baseUrl: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  signingSecret: z.string(),
});
export type Profile = z.infer<typeof Profile>;

const ConfigFile = z.object({ profiles: z.record(z.string(), Profile) });
type ConfigFile = z.infer<typeof ConfigFile>;

const OWNER_ONLY = 0o600;
const FOLDER_OWNER_ONLY = 0o700;

/** `~/.config/ppai/config.json`, or under XDG_CONFIG_HOME. */
export function profilesFile(environment: NodeJS.ProcessEnv): string {
  const folder =
    environment['XDG_CONFIG_HOME'] || join(environment['HOME'] || homedir(), '.config');
  return join(folder, 'ppai', 'config.json');
}

/** Throws UsageError, which never contains a secret. */
export function readProfile(name: string, environment: NodeJS.ProcessEnv): Profile {
  const file = profilesFile(environment);
  const { profiles } = readConfigFile(file);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const names = Object.keys(profiles).join(', ') || 'none';
  throw new UsageError(`There is no profile ${name} in ${file}. Profiles: ${names}.`);
}

export function listProfiles(environment: NodeJS.ProcessEnv): readonly string[] {
  const { profiles } = readConfigFile(profilesFile(environment));
  return Object.entries(profiles).map(([name, { baseUrl }]) => `${name}  ${baseUrl}`);
}

/** Adds or replaces a profile. Only the owner of the file may read it, because it contains secrets. */
export function saveProfile(
  name: string,
  baseUrl: string,
  { clientId, clientSecret, signingSecret }: ClientCredentials,
  environment: NodeJS.ProcessEnv,
): string {
  const file = profilesFile(environment);
  const { profiles } = readConfigFile(file);
  const profile = { baseUrl, clientId, clientSecret, signingSecret };
  mkdirSync(dirname(file), { recursive: true, mode: FOLDER_OWNER_ONLY });
  const text = JSON.stringify({ profiles: { ...profiles, [name]: profile } }, null, 2);
  writeFileSync(file, `${text}\n`, { mode: OWNER_ONLY });
  chmodSync(file, OWNER_ONLY);
  return file;
}

function readConfigFile(file: string): ConfigFile {
  if (!existsSync(file)) return { profiles: {} };
  const isOpenToOthers = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
  if (isOpenToOthers) {
    throw new UsageError(`${file} contains secrets, and others may read it: run chmod 600 on it.`);
  }
  const parsed = ConfigFile.safeParse(parseJson(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new UsageError(
    `${file} must contain { "profiles": { "<name>": { "baseUrl", "clientId", "clientSecret", "signingSecret" } } }.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
