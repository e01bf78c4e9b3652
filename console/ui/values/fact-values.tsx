import type { ReactNode } from 'react';
import { Identifier } from './facts.tsx';
import { When } from './when.tsx';

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
