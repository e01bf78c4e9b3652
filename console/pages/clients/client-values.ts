import type { DataOf } from '../../api/contract.ts';
import type { Stored } from '../../ui/form/versioned/versioned-values.ts';

export type Client = DataOf<'readClient'>;
type Scope = Client['scopes'][number];

/** The fields of a client that can change, as text. */
export type ClientField = 'name' | 'scopes' | 'ipAllowlist' | 'rateLimitPerMinute';

export const CLIENT_LABELS: Readonly<Record<ClientField, string>> = {
  name: 'Name',
  scopes: 'Scopes',
  ipAllowlist: 'Addresses',
  rateLimitPerMinute: 'Requests per minute',
};

export function storedClient({
  version,
  name,
  scopes,
  ipAllowlist,
  rateLimitPerMinute,
}: Client): Stored<ClientField> {
  return {
    version,
    values: {
      name,
      scopes: scopes.join(' '),
      ipAllowlist: ipAllowlist.join('\n'),
      rateLimitPerMinute: String(rateLimitPerMinute),
    },
  };
}

interface ClientBody {
  readonly name: string;
  readonly scopes: Scope[];
  readonly ipAllowlist: string[];
  readonly rateLimitPerMinute: number;
}

/** The fields as the registry expects them. */
export function clientBodyOf(values: Readonly<Record<ClientField, string>>): ClientBody {
  return {
    name: values.name.trim(),
    scopes: scopesOf(values.scopes),
    ipAllowlist: wordsIn(values.ipAllowlist),
    rateLimitPerMinute: Number(values.rateLimitPerMinute),
  };
}

const EMPTY: Readonly<Record<ClientField, string>> = {
  name: '',
  scopes: '',
  ipAllowlist: '',
  rateLimitPerMinute: '',
};

/** Only the fields that changed, as the registry expects them. */
export function clientChangesOf(
  changes: Partial<Record<ClientField, string>>,
): Partial<ClientBody> {
  const body = Object.entries(clientBodyOf({ ...EMPTY, ...changes }));
  return Object.fromEntries(body.filter(([name]) => name in changes));
}

/** Only the check boxes write this text. */
export function scopesOf(text: string): Scope[] {
  return wordsIn(text) as Scope[];
}

/** Separated by spaces, commas or line ends. */
function wordsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
