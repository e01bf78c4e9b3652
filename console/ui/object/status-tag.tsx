import { inWords } from '../../words.ts';
import { Tag } from '../values/tag.tsx';

/** Whether an organization, a client or a user may act. */
export function StatusTag({ status }: { status: 'ACTIVE' | 'SUSPENDED' | 'DISABLED' }) {
  return <Tag tone={status === 'ACTIVE' ? 'good' : 'open'}>{inWords(status)}</Tag>;
}
