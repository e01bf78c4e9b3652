import { Tag } from '../../ui/values/tag.tsx';
import { TRANSMISSION_STATUS_WORDS, type TransmissionItem } from './transmission-words.ts';

const TONES = {
  RECEIVED: 'neutral',
  VALIDATING: 'waiting',
  ACCEPTED: 'good',
  FLAGGED: 'open',
  REJECTED: 'bad',
} as const;

interface TransmissionStatusTagProps {
  readonly transmission: Pick<TransmissionItem, 'status' | 'parkedAt'>;
}

export function TransmissionStatusTag({
  transmission: { status, parkedAt },
}: TransmissionStatusTagProps) {
  return (
    <>
      <Tag tone={TONES[status]}>{TRANSMISSION_STATUS_WORDS[status]}</Tag>
      {parkedAt === null ? null : (
        <>
          {' '}
          <Tag tone="open">Parked</Tag>
        </>
      )}
    </>
  );
}
