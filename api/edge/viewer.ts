import type { Viewer } from '../../shared/store/transmissions.ts';
import type { Submitter } from './submitter.ts';

/** Who looks, for the visibility of rows (D4, D23). */
export function viewerOf(submitter: Submitter): Viewer {
  return {
    organizationId: submitter.organizationId,
    organizationCode: submitter.organizationCode,
    isRegulator: submitter.organizationType === 'REGULATOR',
  };
}
