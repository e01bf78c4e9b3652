import { SESSION_IDLE_SECONDS } from 'virtual:contract';
import { useEffect, useState } from 'react';
import { ACTIVITY, sessionEvents } from '../api/session-events.ts';
import { useNow } from '../ui/use-now.ts';
import type { Session } from './session-context.ts';
import { useTabs } from './tabs.ts';

const TICK_MS = 1_000;
/** Other tabs need to know of activity, but not of every request. */
const ANNOUNCE_MS_MIN = 5_000;

export interface TimeLeft {
  readonly seconds: number;
  /** False near the end of the 8 hours, which nothing extends. */
  readonly isExtensible: boolean;
}

/** How long the session goes on unless the user does something in this or another tab. It counts from answers, not from the clock of the registry. */
export function useTimeLeft({ idleExpiresAt, expiresAt }: Session): TimeLeft {
  const [activeAt, setActiveAt] = useState(() => Date.now());
  const now = useNow(TICK_MS);
  // The end, by the clock of this browser: both times of the session are of the registry's clock.
  const [endsAt] = useState(
    () =>
      Date.now() + Date.parse(expiresAt) - Date.parse(idleExpiresAt) + SESSION_IDLE_SECONDS * 1_000,
  );
  const announce = useTabs((message) => {
    if (message === 'active') setActiveAt(Date.now());
  });

  useEffect(() => {
    let announcedAt = 0;
    const onActivity = (): void => {
      const at = Date.now();
      setActiveAt(at);
      if (at - announcedAt < ANNOUNCE_MS_MIN) return;
      announcedAt = at;
      announce('active');
    };
    sessionEvents.addEventListener(ACTIVITY, onActivity);
    return () => sessionEvents.removeEventListener(ACTIVITY, onActivity);
  }, [announce]);

  const idleEndsAt = activeAt + SESSION_IDLE_SECONDS * 1_000;
  const leftMs = Math.min(idleEndsAt, endsAt) - now;
  return { seconds: Math.max(0, Math.ceil(leftMs / 1_000)), isExtensible: idleEndsAt < endsAt };
}
