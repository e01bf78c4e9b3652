import type { Viewer } from '../../shared/store/intake/transmissions.ts';
import type { Submitter } from '../auth/machine/submitter.ts';

/** The organization on whose behalf rows are read, which decides what is visible (D4, D23). */
export function viewerOf(submitter: Submitter): Viewer {
  return {
    organizationId: submitter.organizationId,
    organizationCode: submitter.organizationCode,
    isRegulator: submitter.organizationType === 'REGULATOR',
  };
}
