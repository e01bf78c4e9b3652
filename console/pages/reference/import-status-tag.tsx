import { Tag } from '../../ui/values/tag.tsx';
import { IMPORT_STATUS_WORDS, type ReferenceImport } from './import-words.ts';

const TONES = {
  QUEUED: 'neutral',
  RUNNING: 'waiting',
  COMPLETED: 'good',
  PARTLY_COMPLETED: 'open',
  REFUSED: 'bad',
  FAILED: 'bad',
} as const;

export function ImportStatusTag({ status }: Pick<ReferenceImport, 'status'>) {
  return <Tag tone={TONES[status]}>{IMPORT_STATUS_WORDS[status]}</Tag>;
}
