import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { writeCount } from '../../ui/values/figures.tsx';

interface NumberListProps {
  readonly title: string;
  readonly rows: readonly {
    readonly label: ReactNode;
    /** The list that the number counts. */
    readonly to: string;
    readonly count: number;
  }[];
  readonly nothing: string;
}

/** Numbers that belong together, each with the way to its list. */
export function NumberList({ title, rows, nothing }: NumberListProps) {
  return (
    <section className="number-list">
      <h3>{title}</h3>
      {rows.length === 0 ? <p className="quiet">{nothing}</p> : null}
      <ul>
        {rows.map(({ label, to, count }) => (
          <li key={to}>
            <Link href={to}>
              <span>{label}</span> <span className="figure">{writeCount(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
