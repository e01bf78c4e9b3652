import { type FormEvent, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useSession } from '../session/session-context.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorAlert } from '../ui/error-alert.tsx';
import { useShortcuts } from '../ui/keys/shortcuts.tsx';
import { type FoundPage, findPages } from './find-pages.ts';
import { targetOf } from './target.ts';

/** Takes any reference or identifier and goes to its page. What fits several pages, or none, is answered in a dialog. */
export function JumpBox() {
  const { session } = useSession();
  const [, navigate] = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<readonly FoundPage[]>();
  const [error, setError] = useState<unknown>();
  const [isSearching, setIsSearching] = useState(false);
  useShortcuts({
    '/': () => {
      field.current?.focus();
      field.current?.select();
    },
  });

  const show = (pages: readonly FoundPage[]): void => {
    const [only, ...others] = pages;
    if (only === undefined || others.length > 0) setFound(pages);
    else {
      setTyped('');
      // The keys of the next page work at once.
      field.current?.blur();
      navigate(only.path);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const target = targetOf(typed);
    if (isSearching || typed.trim() === '') return;
    setIsSearching(true);
    findPages(target, session.permissions)
      .then(show, setError)
      .finally(() => setIsSearching(false));
  };
  const close = (): void => {
    setFound(undefined);
    setError(undefined);
  };
  return (
    <search className="jump" aria-label="Go to">
      <form onSubmit={submit}>
        <input
          ref={field}
          type="search"
          aria-label="Go to a reference or identifier"
          aria-busy={isSearching}
          aria-keyshortcuts="/"
          placeholder="Reference or identifier  /"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </form>
      <Dialog
        isOpen={found !== undefined || error !== undefined}
        title={titleOf(found)}
        onClose={close}
      >
        <ErrorAlert error={error} />
        {found === undefined ? null : <Found pages={found} typed={typed.trim()} onLeave={close} />}
        <div className="buttons">
          <button type="button" onClick={close}>
            Close
          </button>
        </div>
      </Dialog>
    </search>
  );
}

function titleOf(found: readonly FoundPage[] | undefined): string {
  if (found === undefined) return 'The search failed';
  return found.length > 0 ? 'Which one?' : 'Nothing found';
}

interface FoundProps {
  readonly pages: readonly FoundPage[];
  readonly typed: string;
  readonly onLeave: () => void;
}

function Found({ pages, typed, onLeave }: FoundProps) {
  if (pages.length === 0)
    return (
      <>
        <p>
          No record, vehicle or organization has <bdi className="identifier">{typed}</bdi>. Names of
          operators cannot be searched, because they are stored sealed.
        </p>
        <p>
          <Link
            href={`/transmissions?${new URLSearchParams({ externalTransactionId: typed })}`}
            onClick={onLeave}
          >
            Search transmissions for this id of the sender
          </Link>
        </p>
      </>
    );
  return (
    <ul className="found">
      {pages.map(({ path, title }) => (
        <li key={path}>
          <Link href={path} onClick={onLeave}>
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}
