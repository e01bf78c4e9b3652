import { PageTitle } from '../../ui/page-title.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AuditEntries } from './audit-entries.tsx';
import { Verification } from './verification/verification.tsx';

export function AuditPage() {
  return (
    <div className="page">
      <PageTitle title="Audit log" />
      <Tabs
        label="Audit log"
        tabs={[
          { id: 'entries', title: 'Entries', content: () => <AuditEntries /> },
          { id: 'verification', title: 'Verification', content: () => <Verification /> },
        ]}
      />
    </div>
  );
}
