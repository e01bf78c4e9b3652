import { useState } from 'react';
import { useNow } from '../../../ui/use-now.ts';

/** The registry answers a trial as a whole, so only its duration is known. */
export function TrialProgress() {
  const [startedAt] = useState(() => Date.now());
  const seconds = Math.max(0, Math.floor((useNow(1_000) - startedAt) / 1_000));
  return (
    <div>
      <progress aria-label="Judging the transmissions" />
      <p className="quiet figure">
        <span role="status">Judging the transmissions…</span> {seconds} s
      </p>
    </div>
  );
}
