import type { ReactNode } from 'react';
import { When } from './when.tsx';

interface FactsProps {
  /** Name and value; a value of null shows as a dash. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** The properties of one thing. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === null || value === '' ? <span className="quiet">–</span> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** An identifier or reference: monospaced, and in its own direction of writing. */
export function Identifier({ children }: { children: string | null }) {
  return children === null ? (
    <span className="quiet">–</span>
  ) : (
    <bdi className="identifier">{children}</bdi>
  );
}

// Values of `Facts` that are more than a text.

export function exactTime(at: string | null): ReactNode {
  return at === null ? null : <When at={at} isExact />;
}

/** A name in its own direction of writing. */
export function nameOf(name: string): ReactNode {
  return <bdi>{name}</bdi>;
}

export function identifier(value: string): ReactNode {
  return <Identifier>{value}</Identifier>;
}
