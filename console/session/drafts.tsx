import { createContext, type ReactNode, useContext, useState } from 'react';

/** Text that the user has typed and not sent, by the key of its field. It is only in memory. */
export type Drafts = Map<string, string>;

const DraftsContext = createContext<Drafts>(new Map());

/** Its drafts outlive the pages below it and the end of the session; `useDrafts().clear()` forgets them. */
export function DraftsProvider({ drafts, children }: { drafts: Drafts; children: ReactNode }) {
  return <DraftsContext value={drafts}>{children}</DraftsContext>;
}

export function useDrafts(): Drafts {
  return useContext(DraftsContext);
}

/** Like `useState('')`, but the text is there again when the field comes back. Give a component with it the same React key as the draft. */
export function useDraft(key: string): [string, (text: string) => void] {
  const drafts = useDrafts();
  const [text, setText] = useState(() => drafts.get(key) ?? '');
  const change = (next: string): void => {
    setText(next);
    if (next === '') drafts.delete(key);
    else drafts.set(key, next);
  };
  return [text, change];
}
