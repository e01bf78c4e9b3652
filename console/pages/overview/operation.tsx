import { Link } from 'wouter';
import { type Column, Table } from '../../ui/table.tsx';
import { Figures, writeCount } from '../../ui/values/figures.tsx';
import { When } from '../../ui/values/when.tsx';
import type { SectionProps } from './overview-page.tsx';

type EndingSecret = SectionProps['overview']['endingSecrets'][number];

const SECRET_KIND_WORDS: Record<EndingSecret['kind'], string> = {
  CLIENT_SECRET: 'Client secret',
  SIGNING_SECRET: 'Signing secret',
};

const COLUMNS: readonly Column<EndingSecret>[] = [
  {
    title: 'Client',
    cell: ({ apiClientId, clientName }) => (
      <Link href={`/clients/${apiClientId}`}>
        <bdi>{clientName}</bdi>
      </Link>
    ),
  },
  { title: 'Organization', cell: ({ organizationCode }) => <code>{organizationCode}</code> },
  { title: 'Secret', cell: ({ kind, version }) => `${SECRET_KIND_WORDS[kind]} ${version}` },
  { title: 'Ends', cell: ({ expiresAt }) => <When at={expiresAt} isExact /> },
];

/** What somebody on call or in charge of clients looks after. */
export function Operation({
  overview: { parked, importsInProgress, endingSecrets },
}: SectionProps) {
  return (
    <section aria-labelledby="operation">
      <h2 id="operation">Operation</h2>
      <Figures
        figures={[
          { label: 'Parked transmissions', value: writeCount(parked), to: '/queue/parked' },
          { label: 'Imports in progress', value: writeCount(importsInProgress), to: '/reference' },
        ]}
      />
      <h3>Secrets that end soon</h3>
      {endingSecrets.length === 0 ? (
        <p className="quiet">No secret has been replaced by a newer one lately.</p>
      ) : (
        <Table
          label="Secrets that end soon"
          columns={COLUMNS}
          rows={endingSecrets}
          keyOf={({ apiClientId, kind, version }) => `${apiClientId} ${kind} ${version}`}
        />
      )}
    </section>
  );
}
