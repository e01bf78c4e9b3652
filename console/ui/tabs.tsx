import type { ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';

interface TabItem {
  readonly id: string;
  readonly title: string;
  /** Rendered only while its tab is selected. */
  readonly content: () => ReactNode;
}

/**
 * Parts of a page, of which one is shown. Their names are links: the selected tab is `tab` of the URL, so that back, reload and a
 * shared link show the same; the first one without it.
 */
export function Tabs({ label, tabs }: { label: string; tabs: readonly [TabItem, ...TabItem[]] }) {
  const [location] = useLocation();
  const [params] = useSearchParams();
  const selected = tabs.find(({ id }) => id === params.get('tab')) ?? tabs[0];
  const targetOf = (id: string): string => {
    const target = new URLSearchParams(params);
    if (id === tabs[0].id) target.delete('tab');
    else target.set('tab', id);
    // It names a page of the list in the tab that is left.
    target.delete('cursor');
    return target.size === 0 ? location : `${location}?${target}`;
  };
  return (
    <>
      <nav aria-label={label} className="tab-list">
        {tabs.map(({ id, title }) => (
          <Link
            key={id}
            href={targetOf(id)}
            className="tab"
            aria-current={id === selected.id ? 'true' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      <div key={selected.id} className="tab-panel">
        {selected.content()}
      </div>
    </>
  );
}
