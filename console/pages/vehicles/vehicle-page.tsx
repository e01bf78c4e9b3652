import { Link, useParams } from 'wouter';
import type { DataOf } from '../../api/contract.ts';
import { REGISTRY_TIME_ZONE } from '../../api/environment.ts';
import { isApiError } from '../../api/errors.ts';
import { useRead } from '../../api/queries.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Table } from '../../ui/table.tsx';
import { CopyButton } from '../../ui/values/copy-button.tsx';
import { Facts, Identifier } from '../../ui/values/facts.tsx';
import { countOf, IDENTIFIER_WORDS, inWords } from '../../words.ts';
import { CoverageTag } from '../records/coverage-tag.tsx';
import { CoverChart } from './cover-chart.tsx';
import { makeAndModel } from './make-and-model.ts';

type Vehicle = DataOf<'readVehicle'>;

export function VehiclePage() {
  const { vehicleId } = useParams<{ vehicleId: string }>();
  return (
    <div className="page">
      <p className="back-link">
        <Link href="/vehicles">Find a vehicle</Link>
      </p>
      <VehicleDetail vehicleId={vehicleId} />
    </div>
  );
}

function VehicleDetail({ vehicleId }: { vehicleId: string }) {
  const { data: vehicle, error, refetch } = useRead('readVehicle', { params: { vehicleId } });
  const alert = <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (vehicle === undefined) {
    if (isApiError(error, 'NOT_FOUND') || isApiError(error, 'VALIDATION_FAILED'))
      return <PageTitle title="There is no such vehicle" />;
    return error === null ? <p className="loading">Loading the vehicle…</p> : alert;
  }
  return (
    <>
      <PageTitle title={`Vehicle ${vehicle.plateNumber}`}>
        Vehicle <bdi className="identifier">{vehicle.plateNumber}</bdi>
      </PageTitle>
      <p className="quiet">
        As it was registered last. Another insurer may have registered it in another way.{' '}
        <CopyButton text={vehicle.plateNumber} what="plate number" />
      </p>
      {alert}
      <Facts
        facts={[
          ['Make and model', makeAndModel(vehicle)],
          ['Type', inWords(vehicle.vehicleType)],
          ['Denomination', vehicle.denomination],
          ['Covers of all times', vehicle.coverCount],
        ]}
      />
      <Identifiers vehicle={vehicle} />
      <Covers vehicle={vehicle} />
    </>
  );
}

function Identifiers({ vehicle: { identifiers } }: { vehicle: Vehicle }) {
  return (
    <section>
      <h2 className="part-title">Identifiers, now and before</h2>
      <Table
        label="Identifiers"
        rows={identifiers}
        keyOf={({ kind, value }) => `${kind} ${value}`}
        columns={[
          { title: 'Kind', cell: ({ kind }) => IDENTIFIER_WORDS[kind] },
          { title: 'Identifier', cell: ({ value }) => <Identifier>{value}</Identifier> },
          { title: 'Use', cell: ({ isCurrent }) => (isCurrent ? 'Now' : 'Before') },
          { title: 'Covered from', cell: ({ firstDay }) => firstDay ?? '–' },
          { title: 'Covered to', cell: ({ lastDay }) => lastDay ?? '–' },
        ]}
      />
    </section>
  );
}

function Covers({ vehicle: { covers, coverCount } }: { vehicle: Vehicle }) {
  return (
    <section>
      <h2 className="part-title">Covers</h2>
      {covers.length === 0 ? (
        <p className="quiet">No record covers this vehicle.</p>
      ) : (
        <>
          {covers.length < coverCount ? (
            <p className="quiet">The latest {countOf(covers.length, 'cover')}.</p>
          ) : null}
          <CoverChart covers={covers} today={today()} />
          <CoverTable covers={covers} />
        </>
      )}
    </section>
  );
}

function CoverTable({ covers }: { covers: Vehicle['covers'] }) {
  return (
    <Table
      label="Covers"
      rows={covers}
      keyOf={({ certificateId, addedInVersion }) => `${certificateId} ${addedInVersion}`}
      columns={[
        {
          title: 'Record',
          cell: ({ registryReference: reference }) => (
            <Link href={`/records/${reference}`} className="identifier reference">
              {reference}
            </Link>
          ),
        },
        { title: 'Cover', cell: ({ coverageStatus }) => <CoverageTag status={coverageStatus} /> },
        { title: 'First day', cell: ({ firstDay }) => <span className="day">{firstDay}</span> },
        { title: 'Last day', cell: ({ lastDay }) => <span className="day">{lastDay}</span> },
        { title: 'Insurer', cell: ({ issuingInsurer }) => <bdi>{issuingInsurer.name}</bdi> },
        {
          title: IDENTIFIER_WORDS.plateNumber,
          cell: ({ registered }) => <Identifier>{registered.plateNumber}</Identifier>,
        },
        { title: 'Policy', cell: (cover) => <Identifier>{cover.policyNumber}</Identifier> },
        { title: 'Certificate', cell: (cover) => <Identifier>{cover.cocNumber}</Identifier> },
        { title: 'Versions', cell: versionsOf },
      ]}
    />
  );
}

/** The versions of the record that have the vehicle. */
function versionsOf({ addedInVersion, removedInVersion }: Vehicle['covers'][number]): string {
  return removedInVersion === null
    ? `since ${addedInVersion}`
    : `${addedInVersion} to ${removedInVersion - 1}`;
}

/** The date in the registry's zone. */
function today(): string {
  // Swedish dates have the form of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: REGISTRY_TIME_ZONE }).format(new Date());
}
