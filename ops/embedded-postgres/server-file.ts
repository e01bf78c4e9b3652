import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

export const SUPERUSER = 'registry';
export const SERVICE_ROLE = 'registry_service';

const PASSWORD_BYTES = 24;

/** Kept beside the cluster, readable by the owner of DATA_DIR only. */
export interface ServerFile {
  readonly port: number;
  /** Of the superuser, who owns the database. */
  readonly password: string;
  /** Of the role that the service runs as. An earlier release wrote none. */
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
      `there is a database but ${path}, which holds its password, can't be read: put it back`,
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

/** Before a server of an earlier release was started by this one there is only its owner. */
export function serviceUrlOf(server: ServerFile, database: string): string {
  const { port, servicePassword } = server;
  if (servicePassword === undefined) return ownerUrlOf(server, database);
  return urlOf(`${SERVICE_ROLE}:${servicePassword}`, port, database);
}

function urlOf(credentials: string, port: number, database: string): string {
  return `postgresql://${credentials}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}
