import type { Drafts } from './session/drafts.tsx';

/**
 * After a new release the parts of the earlier one are gone, so the page is loaded anew, once. Not when that would lose what the user
 * has typed, or when the registry does not answer: then the error boundary says what to do.
 */
export function reloadAfterRelease(drafts: Drafts): void {
  window.addEventListener('vite:preloadError', () => {
    if (drafts.size === 0 && !wasReloaded()) void reloadIfServed();
  });
}

async function reloadIfServed(): Promise<void> {
  const answer = await fetch(location.href, { method: 'HEAD' }).catch(() => undefined);
  if (answer?.ok === true) location.reload();
}

/** Without state of its own: what a page keeps in the history can be lost, and then it would load for ever. */
function wasReloaded(): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload';
}
