import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

export const SUPERUSER = 'registry';
export const SERVICE_ROLE = 'registry_service';

const PASSWORD_BYTES = 24;

/** Stored beside the cluster; only the owner of DATA_DIR can read it. */
export interface ServerFile {
  readonly port: number;
  /** The password of the superuser, who owns the database. */
  readonly password: string;
  /** The password of the service's role. Files of earlier releases have none. */
  readonly servicePassword?: string;
}

export function makeServerPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('hex');
}

export function readServerFile(path: string): ServerFile {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ServerFile;
  } catch (error) {
    throw new Error(
      `${path}, which contains the password of the existing database, can't be read: restore it`,
      {
        cause: error,
      },
    );
  }
}

export function writeServerFile(path: string, server: ServerFile): void {
  const unfinished = `${path}.new`;
  writeFileSync(unfinished, `${JSON.stringify(server)}\n`, { mode: 0o600 });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, path);
}

export function ownerUrlOf({ port, password }: ServerFile, database: string): string {
  return urlOf(`${SUPERUSER}:${password}`, port, database);
}

/** Uses the owner while a server of an earlier release has not been started by this release. */
export function serviceUrlOf(server: ServerFile, database: string): string {
  const { port, servicePassword } = server;
  if (servicePassword === undefined) return ownerUrlOf(server, database);
  return urlOf(`${SERVICE_ROLE}:${servicePassword}`, port, database);
}

function urlOf(credentials: string, port: number, database: string): string {
  return `postgresql://${credentials}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}
