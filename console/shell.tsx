import { Suspense, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { IS_SANDBOX } from './api/environment.ts';
import { JumpBox } from './jump/jump-box.tsx';
import { usePageScript } from './pages/page-script.tsx';
import { PAGES, type Page } from './pages/pages.ts';
import { Forbidden, NotFound } from './pages/problem-pages.tsx';
import { useSession } from './session/session-context.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { ShortcutHelp } from './ui/keys/shortcut-help.tsx';
import { useShortcuts } from './ui/keys/shortcuts.tsx';
import { UserMenu } from './user-menu.tsx';

/** What surrounds every page: the header with the navigation, and the routes. */
export function Shell() {
  const [location, navigate] = useLocation();
  const isLoaded = usePageScript();
  const links = useAllowedPages().flatMap(({ link }) => link ?? []);
  useShortcuts(Object.fromEntries(links.map(({ key, to }) => [key, () => navigate(to)])));
  if (!isLoaded) return null;
  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <header className="header">
        <Link href="/" className="brand">
          Registry console
        </Link>
        {IS_SANDBOX ? <span className="tag tag-waiting">Sandbox</span> : null}
        <nav aria-label="Pages" className="navigation">
          {links.map(({ label, to }) => (
            <NavigationLink key={label} label={label} to={to} />
          ))}
        </nav>
        <JumpBox />
        <UserMenu />
      </header>
      <main id="main" className="main" tabIndex={-1}>
        <ErrorBoundary resetKey={location}>
          <Suspense fallback={<p className="loading">Loading…</p>}>
            <Switch>
              {PAGES.map((page) => (
                <Route key={page.path} path={page.path}>
                  <Allowed page={page} />
                </Route>
              ))}
              <Route>
                <NotFound />
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </main>
      <ShortcutHelp pages={links} />
    </div>
  );
}

function NavigationLink({ label, to }: { label: string; to: string }) {
  const [location] = useLocation();
  const [path = ''] = to.split('?');
  const isCurrent = location === path || location.startsWith(`${path}/`);
  return (
    <Link href={to} aria-current={isCurrent ? 'page' : undefined}>
      {label}
    </Link>
  );
}

function Allowed({ page: { permission, component } }: { page: Page }) {
  const { session } = useSession();
  // Another component would be mounted anew when the script comes.
  const [Component] = useState(component);
  const isAllowed = permission === undefined || session.permissions.includes(permission);
  return isAllowed ? <Component /> : <Forbidden />;
}

function useAllowedPages(): Page[] {
  const { permissions } = useSession().session;
  return PAGES.filter(
    ({ permission }) => permission === undefined || permissions.includes(permission),
  );
}
