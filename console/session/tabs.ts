import { useCallback, useEffect, useRef } from 'react';

/** What the tabs of one browser, which share a session, tell each other. */
export type TabMessage = 'active' | 'signed-in' | 'signed-out';

/** Hears the other tabs while the component is shown. Returns the function that tells them something. */
export function useTabs(onMessage: (message: TabMessage) => void): (message: TabMessage) => void {
  const channel = useRef<BroadcastChannel>(undefined);
  const listener = useRef(onMessage);
  useEffect(() => {
    listener.current = onMessage;
  });
  useEffect(() => {
    const opened = new BroadcastChannel('registry-console');
    opened.onmessage = ({ data }: MessageEvent<TabMessage>) => listener.current(data);
    channel.current = opened;
    return () => {
      channel.current = undefined;
      opened.close();
    };
  }, []);
  return useCallback((message) => channel.current?.postMessage(message), []);
}
