import { Link, useParams } from 'wouter';
import type { DataOf } from '../../api/contract.ts';
import { isApiError } from '../../api/errors.ts';
import { useRead } from '../../api/queries.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CopyButton } from '../../ui/values/copy-button.tsx';
import { When } from '../../ui/values/when.tsx';
import { countOf } from '../../words.ts';
import { CoverageTag } from './coverage-tag.tsx';
import { FlagsTab } from './detail/flags-tab.tsx';
import { OverviewTab } from './detail/overview-tab.tsx';
import { TimelineTab } from './detail/timeline-tab.tsx';
import { TransmissionsTab } from './detail/transmissions-tab.tsx';
import { VehiclesTab } from './detail/vehicles-tab.tsx';
import { VersionsTab } from './detail/versions-tab.tsx';

export function RecordPage() {
  const { registryReference } = useParams<{ registryReference: string }>();
  return (
    <div className="page">
      <p className="back-link">
        <Link href="/records">All records</Link>
      </p>
      <RecordDetail key={registryReference} registryReference={registryReference} />
    </div>
  );
}

function RecordDetail({ registryReference }: { registryReference: string }) {
  const read = useRead('readRecord', { params: { registryReference } });
  const { data: record, error, refetch } = read;
  const alert = <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (record === undefined) {
    if (isApiError(error, 'NOT_FOUND') || isApiError(error, 'VALIDATION_FAILED'))
      return <PageTitle title="There is no such record" />;
    return error === null ? <p className="loading">Loading the record…</p> : alert;
  }
  return (
    <>
      <RecordHeading record={record} />
      {alert}
      <Tabs
        label="Record"
        tabs={[
          { id: 'overview', title: 'Overview', content: () => <OverviewTab record={record} /> },
          { id: 'vehicles', title: 'Vehicles', content: () => <VehiclesTab record={record} /> },
          { id: 'versions', title: 'Versions', content: () => <VersionsTab record={record} /> },
          { id: 'timeline', title: 'Timeline', content: () => <TimelineTab record={record} /> },
          {
            id: 'transmissions',
            title: 'Transmissions',
            content: () => <TransmissionsTab record={record} />,
          },
          { id: 'flags', title: 'Flags', content: () => <FlagsTab record={record} /> },
        ]}
      />
    </>
  );
}

function RecordHeading({ record }: { record: DataOf<'readRecord'> }) {
  const { registryReference, openFlagCount } = record;
  return (
    <header>
      <div className="page-heading">
        <PageTitle title={`Record ${registryReference}`}>
          Record <bdi className="identifier">{registryReference}</bdi>
        </PageTitle>
        <button type="button" onClick={() => window.print()}>
          Print
        </button>
      </div>
      <p className="quiet">
        <CoverageTag status={record.coverageStatus} /> <bdi>{record.issuingInsurer.name}</bdi>,
        region {record.region}, registered <When at={record.registeredAt} />, version{' '}
        {record.currentVersion}.{' '}
        {openFlagCount === 0 ? null : (
          <Link href={`/records/${registryReference}?tab=flags&flags.status=OPEN`}>
            {countOf(openFlagCount, 'open flag')}
          </Link>
        )}{' '}
        <CopyButton text={registryReference} what="registry reference" />
      </p>
    </header>
  );
}
