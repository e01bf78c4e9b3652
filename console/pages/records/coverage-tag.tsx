import type { DataOf } from '../../api/contract.ts';
import { Tag } from '../../ui/values/tag.tsx';
import { inWords } from '../../words.ts';

type CoverageStatus = DataOf<'readRecord'>['coverageStatus'];

const TONES = {
  ACTIVE: 'good',
  UPCOMING: 'waiting',
  EXPIRING: 'open',
  EXPIRED: 'neutral',
  CANCELLED: 'neutral',
  SUPERSEDED: 'neutral',
} as const satisfies Record<CoverageStatus, string>;

export function CoverageTag({ status }: { status: CoverageStatus }) {
  return <Tag tone={TONES[status]}>{inWords(status)}</Tag>;
}
