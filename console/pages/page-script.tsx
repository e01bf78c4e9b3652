import { useEffect, useState } from 'react';
import { matchRoute, useLocation, useRouter } from 'wouter';
import { PAGES } from './pages.ts';

/**
 * Loads the script of the page that the URL names. Returns false until the first script has been loaded, or has failed to load.
 * Whoever waits for that saves time: without the script React shows its fallback, and keeps it for at least 300 ms.
 */
export function usePageScript(): boolean {
  const { parser } = useRouter();
  const [location] = useLocation();
  const [isLoaded, setIsLoaded] = useState(false);
  useEffect(() => {
    const page = PAGES.find(({ path }) => matchRoute(parser, path, location)[0]);
    const end = (): void => setIsLoaded(true);
    // The page itself says that its script could not be loaded.
    if (page === undefined) end();
    else page.load().then(end, end);
  }, [parser, location]);
  return isLoaded;
}

/** Loads it while the session is still being read. */
export function PagePreloader() {
  usePageScript();
  return null;
}
