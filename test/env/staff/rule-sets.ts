import type { RuleSet } from '../../../shared/contract/staff/rules.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import { type MovableClock, makeMovableClock } from '../../../shared/platform/clock.ts';
import { type BodyChanges, makeBody } from '../api/bodies.ts';
import { type Stack, startStack } from '../api/stack.ts';
import { type StaffBrowser, signInAs } from './staff.ts';

export const RULE_SETS = '/admin/v1/rule-sets';
export const TODAY = '2026-10-15';
const START = new Date(`${TODAY}T02:00:00Z`);
const MINUTE_MS = 60_000;

/** The values of the initial rule set. */
export const DEFAULT_RULES = {
  coverageTypes: ['PPAI_STANDARD'],
  maxCoverageDays: 400,
  maxVehiclesPerCertificate: 500,
  expiringWithinDays: 30,
  flagNoMatch: true,
  flagForReview: true,
};

/** A stack with a fixed clock and an administrator who drafts and activates rule sets. */
export class RuleSetWorld {
  readonly clock: MovableClock = makeMovableClock(START);
  #stack: Stack | undefined;
  #admin: StaffBrowser | undefined;

  get stack(): Stack {
    if (this.#stack === undefined) throw new Error('not started');
    return this.#stack;
  }

  get admin(): StaffBrowser {
    if (this.#admin === undefined) throw new Error('no administrator is signed in');
    return this.#admin;
  }

  async start(): Promise<void> {
    this.#stack = await startStack({ clock: this.clock });
  }

  /** Before each test: resets the clock and deletes all rule sets but the initial one. */
  async reset(): Promise<void> {
    await this.stack.api.context.db
      .$executeRaw`DELETE FROM rule_sets WHERE created_by <> 'migration'`;
    this.clock.moveTo(START);
    this.#admin = await signInAs(this.stack, 'ADMINISTRATOR');
  }

  async draft(body: object = {}): Promise<RuleSet> {
    const { envelope, status, text } = await this.admin.post(RULE_SETS, body);
    if (status !== 201) throw new Error(text);
    return envelope.data as unknown as RuleSet;
  }

  change(id: string, body: object) {
    return this.admin.send({ method: 'PATCH', path: `${RULE_SETS}/${id}`, body });
  }

  activate(id: string, body: object = { expectedVersion: 1 }) {
    return this.admin.post(`${RULE_SETS}/${id}/activate`, body);
  }

  withdraw(id: string, expectedVersion: number) {
    return this.admin.post(`${RULE_SETS}/${id}/withdraw`, { expectedVersion });
  }

  async read(id: string): Promise<RuleSet> {
    return (await this.admin.get(`${RULE_SETS}/${id}`)).envelope.data as unknown as RuleSet;
  }

  minutesFromNow(minutes: number): string {
    return new Date(this.clock.now().getTime() + minutes * MINUTE_MS).toISOString();
  }

  /** Transmits and returns the error codes, or the two statuses when there are none. */
  async outcome(changes: BodyChanges = {}): Promise<string> {
    const { findings, acknowledgment } = await this.stack.transmit('alpha', bodyOf(changes));
    const codes = findings.filter(({ severity }) => severity === 'ERROR').map(({ code }) => code);
    return codes.length > 0
      ? codes.join()
      : `${acknowledgment.status} ${acknowledgment.coverageStatus}`;
  }
}

function bodyOf(changes: BodyChanges) {
  return makeBody({
    ...changes,
    policy: { issuanceDate: TODAY, ...changes.policy },
    certificate: {
      effectiveDate: TODAY,
      expirationDate: addDays(TODAY, 365),
      ...changes.certificate,
    },
  });
}
