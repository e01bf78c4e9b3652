import { useState } from 'react';
import { Link } from 'wouter';
import { Dialog } from '../dialog.tsx';
import { parseViews, type SavableFilters, type SavedView, savableSearch } from './savable.ts';
import type { Filters } from './use-filters.ts';
import { ViewsDialog } from './views-dialog.tsx';

interface SavedViewsProps {
  /** The path of the list below /console. Its views are kept under it. */
  readonly path: string;
  readonly filters: Filters;
  readonly savable: SavableFilters;
}

/** Filters that the user has saved under a name, in this browser. Each is a link, so it can also be shared. */
export function SavedViews({ path, filters, savable }: SavedViewsProps) {
  const [views, setViews] = useSavedViews(path, savable);
  const [isOpen, setIsOpen] = useState(false);
  const present = savableSearch(filters.query, savable);
  return (
    <nav className="saved-views" aria-label="Saved views">
      {views.map(({ name, search }) => (
        <Link
          key={name}
          href={`${path}${search}`}
          aria-current={search === present.search ? 'true' : undefined}
        >
          <bdi>{name}</bdi>
        </Link>
      ))}
      <button type="button" className="link" onClick={() => setIsOpen(true)}>
        {views.length === 0 ? 'Save this view' : 'Saved views'}
      </button>
      <Dialog isOpen={isOpen} title="Saved views" onClose={() => setIsOpen(false)}>
        <ViewsDialog
          path={path}
          present={present}
          views={views}
          onChange={setViews}
          onClose={() => setIsOpen(false)}
        />
      </Dialog>
    </nav>
  );
}

function useSavedViews(
  path: string,
  savable: SavableFilters,
): [readonly SavedView[], (views: readonly SavedView[]) => void] {
  const key = `console.views${path}`;
  const [views, setViews] = useState<readonly SavedView[]>(() =>
    parseViews(localStorage.getItem(key), savable),
  );
  const change = (next: readonly SavedView[]): void => {
    localStorage.setItem(key, JSON.stringify(next));
    setViews(next);
  };
  return [views, change];
}
