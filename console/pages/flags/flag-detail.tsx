import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { DataOf } from '../../api/contract.ts';
import { isApiError } from '../../api/errors.ts';
import { keyOf, useRead } from '../../api/queries.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { FlagStatusTag } from '../../ui/values/tag.tsx';
import { When } from '../../ui/values/when.tsx';
import { FLAG_TYPE_WORDS } from '../../words.ts';
import { Assignment } from './assignment/assignment.tsx';
import { ComparisonTable } from './comparison-table.tsx';
import { Decision } from './decision/decision.tsx';
import type { NextStep } from './decision/next-flag.tsx';
import type { Flag } from './flag-query.ts';
import { FlagTimeline } from './flag-timeline.tsx';

type Evidence = DataOf<'readFlagEvidence'>;

interface FlagDetailProps {
  readonly flagId: string;
  /** The next flag of the list, or its next page; undefined after the last one. */
  readonly next: NextStep | undefined;
  readonly onChanged: (flag: Flag) => void;
}

export function FlagDetail({ flagId, next, onChanged }: FlagDetailProps) {
  const request = { params: { flagId } };
  const { data: evidence, error, refetch } = useRead('readFlagEvidence', request);
  const client = useQueryClient();

  if (evidence === undefined) {
    if (isApiError(error, 'NOT_FOUND') || isApiError(error, 'VALIDATION_FAILED'))
      return <PageTitle title="There is no such flag" />;
    return error === null ? (
      <p className="loading">Loading the flag…</p>
    ) : (
      <ErrorAlert error={error} onRetry={() => void refetch()} />
    );
  }
  const show = (flag: Flag): void => {
    const queryKey = keyOf('readFlagEvidence', request);
    client.setQueryData<Evidence>(queryKey, { ...evidence, flag });
    void client.invalidateQueries({ queryKey });
    onChanged(flag);
  };
  const { flag } = evidence;
  return (
    <>
      <FlagHeading flag={flag} />
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      {flag.status === 'OPEN' ? <Assignment flag={flag} onChanged={show} /> : null}
      <p className="reason">{flag.message}</p>
      <h2 id="comparison">Comparison</h2>
      <ComparisonTable evidence={evidence} />
      <Findings evidence={evidence} />
      <h2>History</h2>
      <FlagTimeline evidence={evidence} />
      <Decision key={flagId} flag={flag} next={next} onChanged={show} />
    </>
  );
}

function FlagHeading({ flag }: { flag: Flag }) {
  const words = FLAG_TYPE_WORDS[flag.type];
  return (
    <header className="flag-heading">
      <PageTitle title={`${words} ${flag.plateNumber ?? flag.registryReference}`}>
        {words}{' '}
        <span className="identifier">
          <bdi>{flag.plateNumber ?? flag.registryReference}</bdi>
        </span>
      </PageTitle>
      <p className="quiet">
        <FlagStatusTag status={flag.status} /> <bdi>{flag.insurerName}</bdi>, region {flag.region},
        raised <When at={flag.createdAt} />
      </p>
      <p className="quiet">
        Record <RecordLink reference={flag.registryReference} />
        {flag.relatedRegistryReference === null ? null : (
          <>
            , related to <RecordLink reference={flag.relatedRegistryReference} /> of{' '}
            <bdi>{flag.relatedInsurerName}</bdi>
          </>
        )}
      </p>
    </header>
  );
}

function RecordLink({ reference }: { reference: string }) {
  return (
    <Link href={`/records/${reference}`} className="identifier">
      {reference}
    </Link>
  );
}

function Findings({ evidence: { findings, referenceRegion, flag } }: { evidence: Evidence }) {
  return (
    <>
      <h2>Findings</h2>
      {findings.length === 0 ? <p className="quiet">None.</p> : null}
      <ul className="findings">
        {findings.map(({ code, message }) => (
          <li key={`${code} ${message}`}>
            <code>{code}</code> {message}
          </li>
        ))}
      </ul>
      {referenceRegion === null ? (
        <p className="quiet">The registry has no reference data of region {flag.region}.</p>
      ) : null}
    </>
  );
}
