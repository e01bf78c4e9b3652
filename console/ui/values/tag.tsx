import type { DataOf } from '../../api/contract.ts';
import { FLAG_STATUS_WORDS } from '../../words.ts';

type Tone = 'open' | 'good' | 'waiting' | 'bad' | 'neutral';

const FLAG_TONES: Record<DataOf<'readFlag'>['status'], Tone> = {
  OPEN: 'open',
  CLEARED: 'good',
  REFERRED_TO_INSURER: 'waiting',
  RESOLVED_BY_AMENDMENT: 'good',
};

/** A status: a word, with a colour beside it. */
export function Tag({ tone, children }: { tone: Tone; children: string }) {
  return <span className={`tag tag-${tone}`}>{children}</span>;
}

export function FlagStatusTag({ status }: { status: DataOf<'readFlag'>['status'] }) {
  return <Tag tone={FLAG_TONES[status]}>{FLAG_STATUS_WORDS[status]}</Tag>;
}
