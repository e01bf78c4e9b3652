import { AUDIT_ACTIONS, AUDIT_TARGET_TYPES } from 'virtual:contract';
import { useRead } from '../../api/queries.ts';
import { ExportButton } from '../../ui/list/export-button.tsx';
import { List } from '../../ui/list/list.tsx';
import { isMoment, oneOrMoreOf, type SavableFilters } from '../../ui/list/savable.ts';
import { SavedViews } from '../../ui/list/saved-views.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';
import { AuditEntry } from './audit-entry.tsx';
import { AuditFilterBar } from './audit-filter-bar.tsx';

/** An actor is a person, and so is many an object: neither is part of a saved view. */
const SAVABLE: SavableFilters = {
  action: oneOrMoreOf(AUDIT_ACTIONS),
  targetType: oneOrMoreOf(AUDIT_TARGET_TYPES),
  from: isMoment,
  to: isMoment,
};

export function AuditEntries() {
  const filters = useFilters();
  const request = { query: filters.query };
  const read = useRead('listAudit', request, { keepsEarlier: true });
  return (
    <>
      <AuditFilterBar filters={filters} error={read.error} />
      <SavedViews path="/audit" filters={filters} savable={SAVABLE} />
      <List
        read={read}
        filters={filters}
        one="entry"
        several="entries"
        nothingYet={<p>Nothing has been done yet.</p>}
        actions={<ExportButton name="listAudit" request={request} fileName="audit.csv" />}
      >
        {(rows) => (
          <ul className="audit-entries">
            {rows.map((entry) => (
              <AuditEntry key={entry.sequence} entry={entry} />
            ))}
          </ul>
        )}
      </List>
    </>
  );
}
