import { type ReactNode, useEffect, useRef } from 'react';

interface PageTitleProps {
  /** For the window; the heading may have more. */
  readonly title: string;
  readonly children?: ReactNode;
}

let isFirstPage = true;

/** The heading of a page. It takes the focus after a navigation, so that a screen reader reads where it is. */
export function PageTitle({ title, children = title }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Registry console`;
    // The first page of a visit leaves the focus where the browser puts it.
    if (!isFirstPage && !isTyping()) heading.current?.focus({ preventScroll: true });
    isFirstPage = false;
  }, [title]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

/** Somebody who already types into the next field keeps it, when the page comes late. */
function isTyping(): boolean {
  return document.activeElement?.matches('input, select, textarea') ?? false;
}
