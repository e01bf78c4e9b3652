import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

export const SUPERUSER = 'registry';

/** Kept beside the cluster, readable by the owner of DATA_DIR only. */
export interface ServerFile {
  readonly port: number;
  readonly password: string;
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

export function urlOf(server: ServerFile, database: string): string {
  return `postgresql://${SUPERUSER}:${server.password}@127.0.0.1:${server.port}/${encodeURIComponent(database)}`;
}
