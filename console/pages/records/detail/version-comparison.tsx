import { useId } from 'react';
import { useSearchParams } from 'wouter';
import { Diff } from '../../../ui/diff/diff.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { useSnapshot } from './read-snapshot.ts';

interface VersionComparisonProps {
  readonly registryReference: string;
  readonly currentVersion: number;
}

/** Any two versions of a record, which are `before` and `after` of the URL; the last two without them. */
export function VersionComparison({ registryReference, currentVersion }: VersionComparisonProps) {
  const [params, setParams] = useSearchParams();
  const versionOf = (name: string, otherwise: number): number => {
    const version = Number(params.get(name));
    const exists = Number.isInteger(version) && version >= 1 && version <= currentVersion;
    return exists ? version : otherwise;
  };
  const [before, after] = [
    versionOf('before', currentVersion - 1),
    versionOf('after', currentVersion),
  ];
  const choose = (name: string, version: string): void =>
    setParams((earlier) => {
      const next = new URLSearchParams(earlier);
      next.set(name, version);
      return next;
    });
  return (
    <section aria-labelledby="comparison-of-versions">
      <h2 id="comparison-of-versions" className="part-title">
        Comparison
      </h2>
      <div className="filters">
        <VersionSelect
          label="Before"
          value={before}
          last={currentVersion}
          onChange={(version) => choose('before', version)}
        />
        <VersionSelect
          label="After"
          value={after}
          last={currentVersion}
          onChange={(version) => choose('after', version)}
        />
      </div>
      <SnapshotDiff
        key={`${before} ${after}`}
        registryReference={registryReference}
        before={before}
        after={after}
      />
    </section>
  );
}

interface VersionSelectProps {
  readonly label: string;
  readonly value: number;
  readonly last: number;
  readonly onChange: (version: string) => void;
}

function VersionSelect({ label, value, last, onChange }: VersionSelectProps) {
  const id = useId();
  const versions = Array.from({ length: last }, (_, index) => last - index);
  return (
    <div className="date-filter">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {versions.map((version) => (
          <option key={version} value={version}>
            Version {version}
          </option>
        ))}
      </select>
    </div>
  );
}

interface SnapshotDiffProps {
  readonly registryReference: string;
  readonly before: number;
  readonly after: number;
}

function SnapshotDiff({ registryReference, before, after }: SnapshotDiffProps) {
  const [one, other] = [
    useSnapshot(registryReference, before),
    useSnapshot(registryReference, after),
  ];
  const failed = [one, other].find(({ error }) => error !== null);
  if (failed !== undefined)
    return <ErrorAlert error={failed.error} onRetry={() => void failed.refetch()} />;
  if (one.data === undefined || other.data === undefined)
    return <p className="loading">Loading the versions…</p>;
  return <Diff before={one.data} after={other.data} />;
}
