import { AppError } from '../../../shared/contract/errors.ts';
import { mayActFor } from '../../../shared/store/registry/authority.ts';
import {
  findVisibleCertificate,
  type VisibleCertificate,
} from '../../../shared/store/registry/visible-certificates.ts';
import type { Submitter } from '../../auth/machine/submitter.ts';
import type { ApiContext } from '../../context.ts';
import { viewerOf } from '../viewer.ts';

/**
 * The record that an amendment or cancellation is about, or why it is not theirs to change: NOT_FOUND for who
 * does not see it, FORBIDDEN for who sees it without authority to transmit for its insurer (D14).
 */
export async function findChangeableRecord(
  { db }: ApiContext,
  submitter: Submitter,
  registryReference: string,
): Promise<VisibleCertificate | AppError> {
  const record = await findVisibleCertificate(db, registryReference, viewerOf(submitter));
  if (record === undefined) return new AppError('NOT_FOUND', 'no such record is visible');
  if (!(await mayActFor(db, submitter.organizationId, record))) {
    return new AppError('FORBIDDEN', 'the record is visible but not theirs to change', {
      message:
        "Only the issuing insurer may amend or cancel this record, and who may transmit for it: lead insurer and management company of an active pool that it belonged to on the policy's issuance date.",
    });
  }
  return record;
}
