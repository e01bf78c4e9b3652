import type { ReactNode } from 'react';

/** Stays in place and focusable while the form is being sent. */
export function SubmitButton({ isPending, children }: { isPending: boolean; children: ReactNode }) {
  return (
    <button type="submit" className="primary" aria-disabled={isPending} aria-busy={isPending}>
      {children}
    </button>
  );
}
