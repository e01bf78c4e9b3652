import { DISCLAIMER } from '../../../shared/contract/machine/acknowledgment.ts';
import type { ValidationResult } from '../../../shared/contract/machine/transmissions/validation.ts';
import type { Tx } from '../../../shared/db/prisma.ts';
import { hideRelatedOf, presentVerdict } from '../../../shared/domain/presentation/acknowledge.ts';
import { readSubmission } from '../../../shared/domain/registration/submission.ts';
import { judge, type Verdict } from '../../../shared/domain/rules/judge.ts';
import { unknownFieldFindings } from '../../../shared/domain/rules/unknown-fields.ts';
import { dryRunEvaluated } from '../../../shared/platform/events.ts';
import { findVisibleReferences } from '../../../shared/store/intake/shown-acknowledgments.ts';
import { readConflicts } from '../../../shared/store/registry/facts/read-conflicts.ts';
import { type FactsMoment, readFacts } from '../../../shared/store/registry/facts/read-facts.ts';
import { readToday } from '../../../shared/store/sandbox/registry-day.ts';
import { readActiveRuleSet } from '../../../shared/store/staff/rule-sets.ts';
import type { ApiContext } from '../../context.ts';
import type { Answer } from '../../http/respond.ts';
import type { MachineRequest } from '../request.ts';
import { viewerOf } from '../viewer.ts';

type ValidationRequest = MachineRequest<'validateTransmission'>;

/**
 * D38: answers what the transmission of this body would lead to now. All is read in one snapshot, in a transaction that can
 * write nothing. The tenant limiter covers it, because a body of many vehicles is as much work as its transmission.
 */
export async function validateTransmission(
  context: ApiContext,
  request: ValidationRequest,
): Promise<Answer> {
  const { submitter, requestId } = request;
  const now = context.clock.now();
  const data = await context.tenantLimiter.run(submitter.organizationId, () =>
    context.db.$transaction(
      async (tx) => {
        await tx.$executeRaw`SET TRANSACTION READ ONLY`;
        const today = await readToday(tx, context.config, now);
        return evaluate(tx, request, { now, today });
      },
      { isolationLevel: 'RepeatableRead' },
    ),
  );
  context.dryRuns.count(submitter.apiClientId, now);
  dryRunEvaluated(context, { requestId, clientId: submitter.clientId, outcome: data.outcome });
  return { status: 200, data };
}

async function evaluate(
  tx: Tx,
  request: ValidationRequest,
  moment: FactsMoment,
): Promise<ValidationResult> {
  const ruleSet = await readActiveRuleSet(tx, moment.now);
  const verdict = await judgeWithConflicts(tx, request, moment);
  const { flags, ...shown } = presentVerdict(verdict);
  const related = flags.flatMap(({ relatedRegistryReference }) => relatedRegistryReference ?? []);
  const visible = await findVisibleReferences(tx, related, viewerOf(request.submitter));
  return {
    outcome: verdict.status,
    errorCode: verdict.errorCode,
    ...shown,
    flags: hideRelatedOf(flags, visible),
    ruleSetId: ruleSet.id,
    evaluatedAt: moment.now.toISOString(),
    disclaimer: DISCLAIMER,
  };
}

/** As a worker decides, except that the covers in force are always read: no commit follows that would find them (D9). */
async function judgeWithConflicts(
  tx: Tx,
  { body, submitter, unknownFields }: ValidationRequest,
  moment: FactsMoment,
): Promise<Verdict> {
  const question = {
    submission: readSubmission(body),
    organizationId: submitter.organizationId,
    apiClientId: submitter.apiClientId,
    neededScope: 'ppai:transmit' as const,
  };
  const [facts] = await readFacts(tx, [question], moment);
  if (facts === undefined) throw new Error('facts are missing');
  const options = { findings: unknownFieldFindings(unknownFields) };
  const { matched } = judge(question.submission, facts, options);
  const conflictsQuestion = { question, facts, matched, exceptCertificateId: null };
  const conflicts = await readConflicts(tx, conflictsQuestion, moment);
  return judge(question.submission, { ...facts, ...conflicts }, options);
}
