import type { ReactNode } from 'react';
import { Link } from 'wouter';

export interface Figure {
  readonly label: string;
  /** Null for what is not known. */
  readonly value: string | null;
  /** The list that the figure counts. */
  readonly to?: string;
  readonly hint?: ReactNode;
}

/** The few numbers that a page is about. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="figures">
      {figures.map(({ label, value, to, hint }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="figure-value">
            {to === undefined || value === null ? (
              (value ?? '–')
            ) : (
              <Link href={to} aria-label={`${label}: ${value}`}>
                {value}
              </Link>
            )}
          </dd>
          {hint === undefined ? null : <dd className="quiet">{hint}</dd>}
        </div>
      ))}
    </dl>
  );
}

export function writeCount(count: number): string {
  return count.toLocaleString('en');
}
