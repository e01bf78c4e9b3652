import { Link, useParams } from 'wouter';
import { isApiError } from '../../../api/errors.ts';
import { useRead } from '../../../api/queries.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { Identifier } from '../../../ui/values/facts.tsx';
import { When } from '../../../ui/values/when.tsx';
import { TransmissionStatusTag } from '../transmission-status-tag.tsx';
import { TRANSMISSION_KIND_WORDS, type Transmission } from '../transmission-words.ts';
import { FindingsTab } from './findings-tab.tsx';
import { Processing } from './processing.tsx';
import { SubmittedBody } from './submitted-body.tsx';
import { TransmissionFacts } from './transmission-facts.tsx';

/** One transmission: its outcome, how it was processed, and what was submitted. */
export function TransmissionPage() {
  const { transmissionReference } = useParams<{ transmissionReference: string }>();
  const request = { params: { transmissionReference } };
  const { data, error, refetch } = useRead('readTransmission', request);
  if (data === undefined && isApiError(error, 'NOT_FOUND'))
    return <NoTransmission reference={transmissionReference} />;
  return (
    <div className="page">
      <p>
        <Link href="/transmissions">All transmissions</Link>
      </p>
      {data === undefined ? null : <TransmissionHeading transmission={data} />}
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null ? (
        <p className="loading">Loading the transmission…</p>
      ) : null}
      {data === undefined ? null : (
        <>
          <TransmissionFacts transmission={data} />
          <Tabs
            label="Transmission"
            tabs={[
              {
                id: 'findings',
                title: 'Findings',
                content: () => <FindingsTab transmission={data} />,
              },
              {
                id: 'processing',
                title: 'Processing',
                content: () => <Processing transmission={data} />,
              },
              {
                id: 'body',
                title: 'Body',
                content: () => (
                  <SubmittedBody
                    key={transmissionReference}
                    transmissionReference={transmissionReference}
                  />
                ),
              },
            ]}
          />
        </>
      )}
    </div>
  );
}

function TransmissionHeading({ transmission }: { transmission: Transmission }) {
  const { transmissionReference, kind, transmittingOrg, receivedAt } = transmission;
  return (
    <header>
      <PageTitle title={`Transmission ${transmissionReference}`}>
        Transmission <Identifier>{transmissionReference}</Identifier>
      </PageTitle>
      <p className="quiet">
        <TransmissionStatusTag transmission={transmission} /> {TRANSMISSION_KIND_WORDS[kind]} from{' '}
        <bdi>{transmittingOrg.name}</bdi>, received <When at={receivedAt} />
      </p>
    </header>
  );
}

/** The text of the link may be another number of a transmission. */
function NoTransmission({ reference }: { reference: string }) {
  const searchBy = (name: string): string =>
    `/transmissions?${new URLSearchParams({ [name]: reference })}`;
  return (
    <div className="page-narrow">
      <PageTitle title="There is no such transmission" />
      <p>
        No transmission has the reference <Identifier>{reference}</Identifier>.
      </p>
      <p>Search transmissions with this text as:</p>
      <ul>
        <li>
          <Link href={searchBy('externalTransactionId')}>External transaction id</Link>
        </li>
        <li>
          <Link href={searchBy('registryReference')}>Registry reference of a record</Link>
        </li>
        <li>
          <Link href={searchBy('identifier')}>Identifier of a vehicle</Link>
        </li>
      </ul>
    </div>
  );
}
