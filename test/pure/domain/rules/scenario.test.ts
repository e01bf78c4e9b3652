import type { ErrorCode } from '../../../../shared/contract/errors.ts';
import { ENDPOINTS, type Endpoint } from '../../../../shared/contract/machine/endpoints.ts';
import { REJECTION_CODES } from '../../../../shared/contract/machine/rejection.ts';
import {
  findScenario,
  REJECTION_FINDINGS,
  type RejectionScenario,
} from '../../../../shared/contract/machine/sandbox/scenario.ts';
import { judge } from '../../../../shared/domain/rules/judge.ts';
import { factsOfScenario, refuseByScenario } from '../../../../shared/domain/rules/scenario.ts';
import { makePlainVehicle, makeVehicle } from '../../../env/api/bodies.ts';
import { makeCanonical, makeFacts, makeSubmission } from '../facts-and-submissions.ts';

const HEAD = {
  transmissionReference: 'PPAI-TX-2026-000000001',
  externalTransactionId: 'E-1',
  kind: 'CREATE',
  policyNumber: 'P-1',
  cocNumber: 'C-1',
  receivedAt: new Date('2026-10-01T00:00:00Z'),
} as const;

describe('a rejection by scenario (D40)', () => {
  it('exists for every code of a rejection', () => {
    expect(new Set(Object.keys(REJECTION_FINDINGS))).toEqual(REJECTION_CODES);
  });

  it.each(Object.keys(REJECTION_FINDINGS) as RejectionScenario[])(
    'has a finding from which its code follows: %s',
    (code) => {
      const { verdict, writes } = refuseByScenario(HEAD, code, []) ?? {};
      expect(verdict).toMatchObject({ status: 'REJECTED', errorCode: code });
      expect(writes?.certificates).toEqual([]);
    },
  );

  it('is none for the other outcomes', () => {
    expect(refuseByScenario(HEAD, 'ACCEPTED', [])).toBeUndefined();
    expect(refuseByScenario(HEAD, undefined, [])).toBeUndefined();
  });
});

describe('the facts of a scenario', () => {
  const submission = makeSubmission({ vehicles: [makeVehicle(), makePlainVehicle()] });
  const statusIn = (outcome: 'ACCEPTED' | 'FLAGGED' | undefined) => {
    const facts = makeFacts({
      ruleSet: { ...makeFacts().ruleSet, flagNoMatch: outcome !== 'FLAGGED' },
    });
    const { status, referenceMatches } = judge(
      submission,
      factsOfScenario(outcome, facts, submission),
    );
    return [status, ...referenceMatches.map(({ result }) => result)];
  };

  it('lead the rules to the outcome, whatever the reference data and the rule set say', () => {
    expect(statusIn(undefined)).toEqual(['FLAGGED', 'NO_MATCH', 'FOR_REVIEW']);
    expect(statusIn('ACCEPTED')).toEqual(['ACCEPTED', 'MATCHED', 'MATCHED']);
    expect(statusIn('FLAGGED')).toEqual(['FLAGGED', 'NO_MATCH', 'NO_MATCH']);
  });

  it('leave a conflict of identifiers, which is a flag of the registry itself', () => {
    const vehicle = makePlainVehicle({ plateNumber: 'P1', chassisNumber: 'C1234' });
    const conflicting = makeSubmission({ vehicles: [vehicle] });
    const facts = makeFacts({
      vehicles: [
        makeCanonical('by plate', { plateNumber: 'P1' }),
        makeCanonical('by chassis', { chassisNumber: 'C1234' }),
      ],
    });
    const { status, flags } = judge(conflicting, factsOfScenario('ACCEPTED', facts, conflicting));
    expect([status, flags.map(({ type }) => type)]).toEqual(['FLAGGED', ['IDENTIFIER_CONFLICT']]);
  });

  it('do not hide errors', () => {
    const wrong = makeSubmission({ issuingInsurerCode: null });
    expect(judge(wrong, factsOfScenario('ACCEPTED', makeFacts(), wrong)).status).toBe('REJECTED');
  });
});

describe('the scenarios of an endpoint', () => {
  const submitting = Object.entries<Endpoint>(ENDPOINTS).filter(([, { outcomes }]) => outcomes);

  it('belong to the three endpoints that record a transmission', () => {
    expect(submitting.map(([name]) => name)).toEqual(['transmit', 'amend', 'cancel']);
  });

  it('include every error code of the endpoint and no other', () => {
    const codes: ErrorCode[] = ['IMMUTABLE_FIELD', 'RECORD_MISMATCH', 'COC_ALREADY_REGISTERED'];
    const known = submitting.map(([, endpoint]) =>
      codes.filter((code) => findScenario(endpoint, code)),
    );
    expect(known).toEqual([['COC_ALREADY_REGISTERED'], ['IMMUTABLE_FIELD'], ['RECORD_MISMATCH']]);
    for (const [, endpoint] of submitting)
      for (const code of endpoint.errors) expect(findScenario(endpoint, code)).toBeDefined();
  });

  it('have amounts with bounds', () => {
    const find = (text: string) => findScenario(ENDPOINTS.transmit, text);
    expect(find('IN_PROGRESS=300')).toEqual({ kind: 'HOLD', seconds: 300 });
    expect(find('SLOW=30000')).toEqual({ kind: 'SLOW', ms: 30_000 });
    for (const text of [
      'SLOW',
      'SLOW=',
      'SLOW=0',
      'SLOW=01',
      'SLOW=1=1',
      'SLOW=-1',
      'SLOW=30001',
      'SLOW=1e3',
    ])
      expect(find(text)).toBeUndefined();
  });
});
