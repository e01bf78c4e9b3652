import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { makeQueryClient } from './api/query-client.ts';
import { PagePreloader } from './pages/page-script.tsx';
import { reloadAfterRelease } from './reload-after-release.ts';
import { type Drafts, DraftsProvider } from './session/drafts.tsx';
import { SessionProvider } from './session/session-provider.tsx';
import { Shell } from './shell.tsx';
import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './style/layout.css';
import './style/tables.css';
import './style/filters.css';
import './style/records.css';
import './style/vehicles.css';
import './style/flags.css';
import './style/rules-reference.css';
import './style/audit.css';
import './style/overview.css';
import './style/queue.css';
import './style/access.css';
import './style/print.css';
import { ShortcutProvider } from './ui/keys/shortcuts.tsx';

const drafts: Drafts = new Map();
reloadAfterRelease(drafts);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no root');
createRoot(root).render(
  <QueryClientProvider client={makeQueryClient()}>
    <DraftsProvider drafts={drafts}>
      <ShortcutProvider>
        <Router base="/console">
          <PagePreloader />
          <SessionProvider>
            <Shell />
          </SessionProvider>
        </Router>
      </ShortcutProvider>
    </DraftsProvider>
  </QueryClientProvider>,
);
