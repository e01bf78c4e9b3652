import { useEffect, useRef } from 'react';
import { Link } from 'wouter';

export interface NextStep {
  readonly label: string;
  readonly path: string;
}

interface NextFlagProps {
  readonly next: NextStep | undefined;
  /** True after a decision: Enter then opens the next flag. */
  readonly takesFocus: boolean;
}

export function NextFlag({ next, takesFocus }: NextFlagProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (takesFocus) link.current?.focus();
  }, [takesFocus]);
  if (next === undefined) return <p className="quiet">This is the last flag of the list.</p>;
  return (
    <Link href={next.path} ref={link} className="button primary">
      {next.label}
    </Link>
  );
}
