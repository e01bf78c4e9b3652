import { FlagStatusTag } from '../../../ui/values/tag.tsx';
import { When } from '../../../ui/values/when.tsx';
import type { Flag } from '../flag-query.ts';

/** Who decided on a flag, when, and why. */
export function DecidedBy({
  flag: { status, reviewedBy, reviewedAt, reviewNotes },
}: {
  flag: Flag;
}) {
  return (
    <>
      <p>
        <FlagStatusTag status={status} />{' '}
        {reviewedBy === null ? null : (
          <>
            by <bdi>{reviewedBy}</bdi>{' '}
          </>
        )}
        {reviewedAt === null ? null : <When at={reviewedAt} />}
      </p>
      {reviewNotes === null ? null : <blockquote dir="auto">{reviewNotes}</blockquote>}
    </>
  );
}
