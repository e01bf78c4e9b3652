import { AppError } from '../../../shared/contract/errors.ts';
import { findReceipt } from '../../../shared/store/intake/receive.ts';
import { mayActFor } from '../../../shared/store/registry/authority.ts';
import {
  findVisibleCertificate,
  type VisibleCertificate,
} from '../../../shared/store/registry/visible-certificates.ts';
import type { Submitter } from '../../auth/machine/submitter.ts';
import type { ApiContext } from '../../context.ts';
import { requestHash } from '../../http/body/request-hash.ts';
import type { Answer } from '../../http/respond.ts';
import { viewerOf } from '../viewer.ts';
import { answerEarlier } from './answer.ts';
import { type SubmissionRequest, submit } from './submit.ts';

export interface RecordChange {
  readonly kind: 'AMEND' | 'CANCEL';
  readonly body: { readonly externalTransactionId: string };
  readonly vehicleCount: number;
  /** Throws if the body does not fit the record. */
  readonly check?: (record: VisibleCertificate) => void;
}

/** Submits a change of a record. A caller who may not change the record still receives the answer to an earlier request (D5). */
export async function submitChange(
  context: ApiContext,
  request: SubmissionRequest & { readonly params: { readonly registryReference: string } },
  { kind, body, vehicleCount, check }: RecordChange,
): Promise<Answer> {
  const { registryReference } = request.params;
  const { externalTransactionId } = body;
  const record = await findChangeableRecord(context, request.submitter, registryReference);
  if (record instanceof AppError) {
    const receipt = await findReceipt(context.db, {
      organizationId: request.submitter.organizationId,
      externalTransactionId,
      requestHash: requestHash(kind, registryReference, request.rawJson),
    });
    if (receipt === undefined) throw record;
    return answerEarlier(context, request, receipt);
  }
  check?.(record);
  return submit(context, request, {
    kind,
    target: { certificateId: record.id, registryReference: record.registryReference },
    externalTransactionId,
    body,
    vehicleCount,
    policyNumber: record.policyNumber,
    cocNumber: record.cocNumber,
    issuingInsurerCode: record.issuingInsurerCode,
  });
}

/**
 * The record that an amendment or cancellation names, or the refusal: NOT_FOUND if the caller may not see the record, FORBIDDEN
 * if the caller sees it but may not transmit for its insurer (D14).
 */
async function findChangeableRecord(
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
