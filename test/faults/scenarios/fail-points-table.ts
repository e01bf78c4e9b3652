import type { TransmissionKind } from '../../../shared/contract/enums.ts';
import {
  ANNOUNCE,
  COMMIT,
  ENQUEUE,
  FINISH,
  LOCK_RECORD,
  READ_FACTS,
  READ_OUTCOME,
  RECEIVE,
  RELEASE_IDENTIFIERS,
  SWEEP,
  TAKE,
} from '../flaws/statements.ts';
import type { Role } from '../servers/processes.ts';
import type { Moment } from '../wire/watched-proxy.ts';

/** What commits on the path of a transmission, in its order; before the first and after the last there is only the wire. */
export const PATH = [
  'request',
  'receipt',
  'enqueue',
  'take',
  'settle',
  'notice',
  'answer',
  'sweep',
] as const;
export type Commit = (typeof PATH)[number];

/** A place between two commits of the path where a process can be stopped. */
export interface FailPoint {
  readonly name: string;
  /** The first is done, the second is not, or nobody knows. */
  readonly between: readonly [Commit, Commit];
  readonly role: Role;
  readonly statement: RegExp;
  readonly moment: Moment;
  readonly kinds: readonly TransmissionKind[];
  /** What is said there names the transmission; else any that comes to it will do. */
  readonly isAbout: boolean;
  /** It is looked for in the worker that took the transmission, or when its wake-up was lost. */
  readonly isFound?: 'after take' | 'after loss';
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
  // New certificates may share a wake-up.
  ['received, not enqueued', ['receipt', 'enqueue'], ENQUEUE, 'before', ['CREATE'], any()],
  ['received, not enqueued', ['receipt', 'enqueue'], ENQUEUE, 'before', CHANGES],
  ['enqueued, unanswered', ['enqueue', 'answer'], ENQUEUE, 'answered', ['CREATE'], any()],
  ['enqueued, unanswered', ['enqueue', 'answer'], ENQUEUE, 'answered', CHANGES],
  ['outcome read, unanswered', ['notice', 'answer'], READ_OUTCOME, 'answered', ALL],
];

const OF_WORKER: readonly Row[] = [
  ['not taken', ['enqueue', 'take'], TAKE, 'before', ['CREATE'], any()],
  ['not taken', ['enqueue', 'take'], TAKE, 'before', CHANGES],
  ['taken, unknown', ['take', 'settle'], TAKE, 'answered', ALL],
  ['facts unread', ['take', 'settle'], READ_FACTS, 'before', ALL, taken()],
  ['record locked', ['take', 'settle'], LOCK_RECORD, 'answered', CHANGES, taken()],
  ['decided', ['take', 'settle'], FINISH, 'before', ALL, taken()],
  ['written', ['take', 'settle'], FINISH, 'answered', ALL],
  ['changed', ['take', 'settle'], RELEASE_IDENTIFIERS, 'answered', CHANGES, taken()],
  ['not committed', ['take', 'settle'], COMMIT, 'before', ALL],
  ['committed, unknown', ['settle', 'notice'], COMMIT, 'answered', ALL],
  ['not announced', ['settle', 'notice'], ANNOUNCE, 'before', ALL],
  ['announced, unknown', ['notice', 'answer'], ANNOUNCE, 'answered', ALL],
  ['swept, not enqueued', ['sweep', 'enqueue'], SWEEP, 'answered', ['CREATE'], lost()],
  ['swept and enqueued', ['enqueue', 'take'], ENQUEUE, 'answered', ['CREATE'], lost()],
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

function taken() {
  return { isFound: 'after take' } as const;
}

function lost() {
  return { isFound: 'after loss' } as const;
}
