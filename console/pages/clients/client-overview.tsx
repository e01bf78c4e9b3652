import { Link } from 'wouter';
import { type Column, Table } from '../../ui/table.tsx';
import { Facts, Identifier } from '../../ui/values/facts.tsx';
import { When } from '../../ui/values/when.tsx';
import { countOf, inWords } from '../../words.ts';
import { LastUse } from './client-list.tsx';
import type { Client } from './client-values.ts';

type SecretInfo = Client['secrets'][number];

const SECRET_COLUMNS: readonly Column<SecretInfo>[] = [
  { title: 'Secret', cell: ({ kind }) => inWords(kind) },
  { title: 'Version', isNumber: true, cell: ({ version }) => version },
  { title: 'Made', cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    title: 'Works until',
    cell: ({ expiresAt }) =>
      expiresAt === null ? (
        <span className="quiet">it is replaced</span>
      ) : (
        <When at={expiresAt} isExact />
      ),
  },
];

/** What the client may do, and the secrets that work now. */
export function ClientOverview({ client }: { client: Client }) {
  const { organization, ipAllowlist, scopes, dryRuns } = client;
  return (
    <>
      <Facts
        facts={[
          ['Client id', <Identifier key="id">{client.clientId}</Identifier>],
          [
            'Organization',
            <Link key="organization" href={`/organizations/${organization.id}`}>
              <bdi>{organization.name}</bdi>
            </Link>,
          ],
          ['Scopes', scopes.join(', ')],
          ['Addresses', ipAllowlist.length === 0 ? 'every address' : ipAllowlist.join(', ')],
          ['Requests per minute', client.rateLimitPerMinute.toLocaleString('en')],
          ['Last used', <LastUse key="use" at={client.lastUsedAt} />],
          ['Dry runs', countOf(dryRuns.count, 'dry run')],
          ['Issued', <When key="issued" at={client.createdAt} isExact />],
        ]}
      />
      <h2>Secrets that work now</h2>
      {client.secrets.length === 0 ? (
        <p className="quiet">None. Rotate the secrets to make new ones.</p>
      ) : (
        <Table
          label="Secrets that work now"
          columns={SECRET_COLUMNS}
          rows={client.secrets}
          keyOf={({ kind, version }) => `${kind} ${version}`}
        />
      )}
    </>
  );
}
