import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { UsageError } from './exit-codes.ts';
import { decodeText } from './input/read-text.ts';

/** An entry of a client file. The demonstration clients' file has the same members. */
export const ClientCredentials = z.object({
  name: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  signingSecret: z.string(),
});
export type ClientCredentials = z.infer<typeof ClientCredentials>;

const ClientFile = z.object({ clients: z.array(ClientCredentials) });

export interface CredentialSource {
  readonly clientFile?: string | undefined;
  readonly client?: string | undefined;
}

const CREDENTIAL_VARIABLES = {
  clientId: 'REGISTRY_CLIENT_ID',
  clientSecret: 'REGISTRY_CLIENT_SECRET',
  signingSecret: 'REGISTRY_SIGNING_SECRET',
} as const;

/** Reads the file if one is given, otherwise the environment. Throws UsageError, which never contains a secret. */
export function readCredentials(
  { clientFile, client }: CredentialSource,
  environment: NodeJS.ProcessEnv,
): ClientCredentials {
  if (clientFile !== undefined) return pick(readClientFile(clientFile), client, clientFile);
  const missing = Object.values(CREDENTIAL_VARIABLES).filter((name) => !environment[name]);
  if (missing.length > 0) {
    throw new UsageError(
      `No credentials: pass a file with --client-file, or set ${missing.join(', ')}.`,
    );
  }
  return {
    name: 'environment',
    clientId: environment[CREDENTIAL_VARIABLES.clientId] ?? '',
    clientSecret: environment[CREDENTIAL_VARIABLES.clientSecret] ?? '',
    signingSecret: environment[CREDENTIAL_VARIABLES.signingSecret] ?? '',
  };
}

/** All clients of the file. Throws UsageError. */
export function readClientFile(file: string): readonly ClientCredentials[] {
  const parsed = ClientFile.safeParse(readJson(file));
  if (parsed.success) return parsed.data.clients;
  throw new UsageError(
    `${file} is not a client file: it must contain { "clients": [{ "name", "clientId", "clientSecret", "signingSecret" }] }.`,
  );
}

function pick(
  clients: readonly ClientCredentials[],
  name: string | undefined,
  file: string,
): ClientCredentials {
  const found =
    name === undefined && clients.length === 1
      ? clients[0]
      : clients.find((client) => client.name === name);
  if (found !== undefined) return found;
  const names = clients.map((client) => client.name).join(', ');
  throw new UsageError(`Choose one of the clients in ${file} with --client: ${names}.`);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(decodeText(readFileSync(file)));
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}
