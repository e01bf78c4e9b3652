import type { TransmissionKind } from '../../../shared/contract/enums.ts';
import {
  ANNOUNCE,
  CHANGE_RECORD,
  CLAIM,
  COMMIT,
  ENQUEUE,
  FINISH,
  LOCK_RECORD,
  RANK_NEXT,
  READ_FACTS,
  READ_OUTCOME,
  RECEIVE,
  SWEEP,
} from '../checks/statements.ts';
import type { Role } from '../servers/processes.ts';
import type { Moment } from '../wire/watched-proxy.ts';

/** The commits on the path of a transmission, in order. */
export const PATH = [
  'request',
  'receipt',
  'enqueue',
  'claim',
  'settle',
  'notice',
  'answer',
  'sweep',
] as const;
export type Commit = (typeof PATH)[number];

/** A point between two commits of the path at which a process can be stopped. */
export interface FailPoint {
  readonly name: string;
  /** The first commit is done; the second is not done, or its outcome is unknown to the process. */
  readonly between: readonly [Commit, Commit];
  readonly role: Role;
  readonly statement: RegExp;
  readonly moment: Moment;
  readonly kinds: readonly TransmissionKind[];
  /** Whether the traffic at this point names the transmission. If not, any process that reaches the point is stopped. */
  readonly isAbout: boolean;
  /** The point is reached by the worker that claimed the transmission, or after its job was lost. */
  readonly isFound?: 'after claim' | 'after loss';
}

const ALL = ['CREATE', 'AMEND', 'CANCEL'] as const;
const CHANGES = ['AMEND', 'CANCEL'] as const;

type Row = [
  name: string,
  between: readonly [Commit, Commit],
  statement: RegExp,
  moment: Moment,
  kinds: readonly TransmissionKind[],
  more?: Partial<Pick<FailPoint, 'isAbout' | 'isFound'>>,
];

const OF_API: readonly Row[] = [
  ['not received', ['request', 'receipt'], RECEIVE, 'before', ALL],
  ['received, unknown', ['receipt', 'enqueue'], RECEIVE, 'answered', ALL],
  // New certificates may share a job.
  ['received, not enqueued', ['receipt', 'enqueue'], ENQUEUE, 'before', ['CREATE'], any()],
  ['received, not enqueued', ['receipt', 'enqueue'], ENQUEUE, 'before', CHANGES],
  ['received, not ranked', ['receipt', 'enqueue'], RANK_NEXT, 'before', CHANGES, any()],
  ['enqueued, unanswered', ['enqueue', 'answer'], ENQUEUE, 'answered', ['CREATE'], any()],
  ['enqueued, unanswered', ['enqueue', 'answer'], ENQUEUE, 'answered', CHANGES],
  ['outcome read, unanswered', ['notice', 'answer'], READ_OUTCOME, 'answered', ALL],
];

const OF_WORKER: readonly Row[] = [
  ['not claimed', ['enqueue', 'claim'], CLAIM, 'before', ['CREATE'], any()],
  ['not claimed', ['enqueue', 'claim'], CLAIM, 'before', CHANGES],
  ['claimed, unknown', ['claim', 'settle'], CLAIM, 'answered', ALL],
  ['facts unread', ['claim', 'settle'], READ_FACTS, 'before', ALL, claimed()],
  ['record locked', ['claim', 'settle'], LOCK_RECORD, 'answered', CHANGES, claimed()],
  ['decided', ['claim', 'settle'], FINISH, 'before', ALL, claimed()],
  ['written', ['claim', 'settle'], FINISH, 'answered', ALL],
  ['changed', ['claim', 'settle'], CHANGE_RECORD, 'answered', CHANGES, claimed()],
  ['not committed', ['claim', 'settle'], COMMIT, 'before', ALL],
  ['committed, unknown', ['settle', 'notice'], COMMIT, 'answered', ALL],
  ['not announced', ['settle', 'notice'], ANNOUNCE, 'before', ALL],
  ['next change not ranked', ['notice', 'answer'], RANK_NEXT, 'before', CHANGES, any()],
  ['announced, unknown', ['notice', 'answer'], ANNOUNCE, 'answered', ALL],
  ['swept, not enqueued', ['sweep', 'enqueue'], SWEEP, 'answered', ['CREATE'], lost()],
  ['swept and enqueued', ['enqueue', 'claim'], ENQUEUE, 'answered', ['CREATE'], lost()],
];

export const FAIL_POINTS: readonly FailPoint[] = [
  ...OF_API.map((row) => pointOf('api', row)),
  ...OF_WORKER.map((row) => pointOf('worker', row)),
];

function pointOf(role: Role, [name, between, statement, moment, kinds, more]: Row): FailPoint {
  return { name, between, role, statement, moment, kinds, isAbout: true, ...more };
}

function any() {
  return { isAbout: false };
}

function claimed() {
  return { isFound: 'after claim' } as const;
}

function lost() {
  return { isFound: 'after loss' } as const;
}
