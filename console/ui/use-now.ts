import { useEffect, useState } from 'react';

/** The time of this browser, in milliseconds, which advances in steps while the component is shown. */
export function useNow(stepMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const ticking = window.setInterval(() => setNow(Date.now()), stepMs);
    return () => window.clearInterval(ticking);
  }, [stepMs]);
  return now;
}
