import type { ReactNode } from 'react';

interface ScrollRegionProps {
  readonly children: ReactNode;
  readonly 'aria-label'?: string;
  readonly 'aria-labelledby'?: string;
}

/** Scrolls on its own where its content is wider than the page. */
export function ScrollRegion({ children, ...label }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus, for the keyboard (axe: scrollable-region-focusable)
    <section className="table-scroll" tabIndex={0} {...label}>
      {children}
    </section>
  );
}
