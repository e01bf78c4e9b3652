import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { UsageError } from './exit-codes.ts';
import { decodeText } from './read-text.ts';

/** One entry of the demonstration clients' file; a file of your own may hold the same members. */
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

export const CREDENTIAL_VARIABLES = {
  clientId: 'REGISTRY_CLIENT_ID',
  clientSecret: 'REGISTRY_CLIENT_SECRET',
  signingSecret: 'REGISTRY_SIGNING_SECRET',
} as const;

/** From the file when one is named, else from the environment. Throws UsageError; secrets are never part of it. */
export function readCredentials(
  { clientFile, client }: CredentialSource,
  environment: NodeJS.ProcessEnv,
): ClientCredentials {
  if (clientFile !== undefined) return pick(readClientFile(clientFile), client, clientFile);
  const missing = Object.values(CREDENTIAL_VARIABLES).filter((name) => !environment[name]);
  if (missing.length > 0) {
    throw new UsageError(
      `No credentials: name a file with --client-file, or set ${missing.join(', ')}.`,
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
    `${file} is not a file of clients: it must hold { "clients": [{ "name", "clientId", "clientSecret", "signingSecret" }] }.`,
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
  throw new UsageError(`Name one of the clients of ${file} with --client: ${names}.`);
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
