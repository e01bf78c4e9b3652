import type { Viewer } from '../../shared/store/intake/transmissions.ts';
import type { Submitter } from '../auth/machine/submitter.ts';

/** Who looks, for the visibility of rows (D4, D23). */
export function viewerOf(submitter: Submitter): Viewer {
  return {
    organizationId: submitter.organizationId,
    organizationCode: submitter.organizationCode,
    isRegulator: submitter.organizationType === 'REGULATOR',
  };
}
