import type { RuleSetTrial } from '../../../../shared/contract/staff/rules.ts';
import { addDays } from '../../../../shared/domain/calendar.ts';
import {
  type BodyChanges,
  makeBody,
  makePlainVehicle,
  makeVehicle,
  today,
} from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { listPage } from '../../../env/staff/lists.ts';
import { outcomeOf, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const BASE = '/admin/v1/rule-sets';

let stack: Stack;
let admin: StaffBrowser;
beforeEach(async () => {
  stack = await startStack();
  admin = await signInAs(stack, 'ADMINISTRATOR');
});
afterEach(() => stack.stop());

/** Drafts a rule set with these values. Returns its trial. */
async function tryDraft(values: object, query = ''): Promise<RuleSetTrial> {
  const drafted = await admin.post(BASE, values);
  const { status, envelope, text } = await admin.get(
    `${BASE}/${String(drafted.envelope.data?.['id'])}/trial${query}`,
  );
  if (status !== 200) throw new Error(text);
  return envelope.data as unknown as RuleSetTrial;
}

async function transmit(changes: BodyChanges = {}) {
  const body = makeBody(changes);
  const { acknowledgment } = await stack.transmit('alpha', body);
  return { body, reference: acknowledgment.transmissionReference, status: acknowledgment.status };
}

/** Counts of everything that a trial could write. */
async function readWrittenState(): Promise<unknown> {
  const { db } = stack.api.context;
  const [row] = await db.$queryRaw<object[]>`
    SELECT (SELECT count(*)::int FROM transmissions) AS transmissions, (SELECT count(*)::int FROM certificates) AS certificates,
      (SELECT count(*)::int FROM flags) AS flags, (SELECT count(*)::int FROM vehicle_identifiers) AS identifiers,
      (SELECT count(*)::int FROM audit_entries) AS acts, (SELECT last_value::int FROM registry_sequence) AS registry,
      (SELECT last_value::int FROM transmission_sequence) AS sequence,
      (SELECT max(xmin::text::bigint)::int FROM transmissions) AS touched`;
  return row;
}

describe('the trial of a rule set', () => {
  it('lists the registered transmissions that would be rejected, with reasons', async () => {
    const long = await transmit();
    const short = await transmit({ certificate: { expirationDate: addDays(today(), 99) } });
    expect([long.status, short.status]).toEqual(['ACCEPTED', 'ACCEPTED']);
    const trial = await tryDraft({ maxCoverageDays: 100 });
    expect(trial).toEqual({
      ruleSetId: expect.any(String),
      presentRuleSetId: (await admin.get(`${BASE}/active`)).envelope.data?.['id'],
      judged: 2,
      moves: [{ from: 'ACCEPTED', to: 'REJECTED', count: 1 }],
      byCode: [{ change: 'ADDED', kind: 'FINDING', code: 'COVERAGE_TOO_LONG', transmissions: 1 }],
      byOrganization: [
        { organization: expect.objectContaining({ code: 'INS-ALPHA' }), transmissions: 1 },
      ],
      changed: [
        {
          transmissionReference: long.reference,
          externalTransactionId: long.body.externalTransactionId,
          transmittingOrg: expect.objectContaining({ code: 'INS-ALPHA' }),
          receivedAt: expect.any(String),
          recordedStatus: 'ACCEPTED',
          present: { status: 'ACCEPTED', errorCode: null, coverageStatus: 'ACTIVE' },
          tried: { status: 'REJECTED', errorCode: 'VALIDATION_FAILED', coverageStatus: null },
          differences: [
            {
              change: 'ADDED',
              kind: 'FINDING',
              code: 'COVERAGE_TOO_LONG',
              count: 1,
              field: 'certificate.expirationDate',
              message: 'The coverage spans 365 days; at most 100 are allowed.',
            },
          ],
        },
      ],
    });
  });

  it('lists the rejected transmissions that would be registered', async () => {
    const plus = { policy: { coverageType: 'PPAI_PLUS' } };
    const { reference, status } = await transmit(plus);
    await transmit({ ...plus, operator: { name: null } });
    expect(status).toBe('REJECTED');
    const { moves, changed } = await tryDraft({ coverageTypes: ['PPAI_STANDARD', 'PPAI_PLUS'] });
    expect(moves).toEqual([{ from: 'REJECTED', to: 'ACCEPTED', count: 1 }]);
    const [stillRejected, registered] = changed;
    expect(registered).toMatchObject({
      transmissionReference: reference,
      recordedStatus: 'REJECTED',
      present: { status: 'REJECTED', errorCode: 'VALIDATION_FAILED', coverageStatus: null },
      tried: { status: 'ACCEPTED', errorCode: null, coverageStatus: 'ACTIVE' },
      differences: [{ change: 'REMOVED', code: 'UNSUPPORTED_COVERAGE_TYPE', count: 1 }],
    });
    expect(stillRejected).toMatchObject({ tried: { status: 'REJECTED' } });
  });

  it('lists the flags that would no longer be raised, counted by code', async () => {
    await transmit({ vehicles: [makeVehicle(), makeVehicle(), makePlainVehicle()] });
    await transmit();
    const { judged, moves, changed } = await tryDraft({ flagNoMatch: false });
    expect(judged).toBe(2);
    expect(moves).toEqual([{ from: 'FLAGGED', to: 'ACCEPTED', count: 1 }]);
    expect(changed[0]?.differences).toEqual([
      {
        change: 'REMOVED',
        kind: 'FLAG',
        code: 'VEHICLE_MISMATCH',
        count: 2,
        field: 'vehicles[0]',
        message: expect.any(String),
      },
    ]);
  });

  it('lists the records that would have another coverage status', async () => {
    await transmit({ certificate: { expirationDate: addDays(today(), 60) } });
    const { moves, changed } = await tryDraft({ expiringWithinDays: 60 });
    expect(moves).toEqual([]);
    expect(changed).toMatchObject([
      {
        present: { status: 'ACCEPTED', coverageStatus: 'ACTIVE' },
        tried: { status: 'ACCEPTED', coverageStatus: 'EXPIRING' },
        differences: [],
      },
    ]);
  });

  it('finds no change if the values are the same, and no conflict of a transmission with itself', async () => {
    const first = await transmit();
    const { policy, certificate, vehicles } = first.body;
    expect((await transmit({ policy, certificate, vehicles })).status).toBe('REJECTED');
    expect((await transmit({ vehicles })).status).toBe('REJECTED');
    await transmit({ vehicles: [makeVehicle()] });
    const { judged, changed } = await tryDraft({});
    expect({ judged, changed }).toEqual({ judged: 4, changed: [] });
  });

  it('judges a rejected transmission against the records of its time, not against later ones', async () => {
    const blocker = await transmit();
    const plus = { policy: { coverageType: 'PPAI_PLUS' } };
    await transmit({ ...plus, vehicles: blocker.body.vehicles });
    const corrected = await transmit(plus);
    const { policy, certificate, vehicles } = corrected.body;
    const sentAgain = await transmit({
      policy: { ...policy, coverageType: 'PPAI_STANDARD' },
      certificate,
      vehicles,
    });
    expect(sentAgain.status).toBe('ACCEPTED');
    const { changed } = await tryDraft({ coverageTypes: ['PPAI_STANDARD', 'PPAI_PLUS'] });
    expect(
      changed.map(({ transmissionReference, tried: verdict }) => [transmissionReference, verdict]),
    ).toEqual([
      [corrected.reference, { status: 'ACCEPTED', errorCode: null, coverageStatus: 'ACTIVE' }],
      [
        expect.any(String),
        { status: 'REJECTED', errorCode: 'VEHICLE_ALREADY_INSURED', coverageStatus: null },
      ],
    ]);
  });

  it('ignores a later suspension of the client', async () => {
    await transmit();
    await stack.api.context.db.apiClient.updateMany({ data: { status: 'SUSPENDED' } });
    const { moves } = await tryDraft({ maxCoverageDays: 100 });
    expect(moves).toEqual([{ from: 'ACCEPTED', to: 'REJECTED', count: 1 }]);
  });

  it('judges only the requested number of latest transmissions, and no amendments', async () => {
    const sent = [await transmit(), await transmit(), await transmit()];
    const { judged, changed } = await tryDraft({ maxCoverageDays: 100 }, '?last=2');
    expect(judged).toBe(2);
    expect(changed.map(({ transmissionReference }) => transmissionReference)).toEqual([
      sent[2]?.reference,
      sent[1]?.reference,
    ]);
    const path = `${BASE}?status=ACTIVE`;
    const [active] = (await listPage<{ id: string }>(admin, path)).items;
    for (const last of ['0', '201', 'all']) {
      const answer = await admin.get(`${BASE}/${active?.id}/trial?last=${last}`);
      expect(outcomeOf(answer)).toEqual({ status: 422, code: 'VALIDATION_FAILED' });
    }
  });

  it('writes nothing, not even a gap in the sequence of the registry', async () => {
    await transmit();
    await transmit({ policy: { coverageType: 'PPAI_PLUS' } });
    const drafted = await admin.post(BASE, { coverageTypes: ['PPAI_PLUS'], flagNoMatch: false });
    const before = await readWrittenState();
    const path = `${BASE}/${String(drafted.envelope.data?.['id'])}/trial`;
    expect((await admin.get(path)).envelope.data).toMatchObject({ judged: 2 });
    expect(await readWrittenState()).toEqual(before);
  });

  it('is open to an AUDITOR and shows no personal data', async () => {
    await transmit();
    const drafted = await admin.post(BASE, { maxCoverageDays: 100 });
    const auditor = await signInAs(stack, 'AUDITOR');
    const { status, text } = await auditor.get(
      `${BASE}/${String(drafted.envelope.data?.['id'])}/trial`,
    );
    expect(status).toBe(200);
    for (const personal of ['Maria', '123-456-789', 'maria.santos', '917 555']) {
      expect(text).not.toContain(personal);
    }
  });

  it('judges many vehicles in several parts', async () => {
    for (let at = 0; at < 3; at += 1) {
      const vehicles = Array.from({ length: 300 }, () => makePlainVehicle());
      expect((await transmit({ vehicles })).status).toBe('ACCEPTED');
    }
    const { judged, moves } = await tryDraft({ maxVehiclesPerCertificate: 299 });
    expect({ judged, moves }).toEqual({
      judged: 3,
      moves: [{ from: 'ACCEPTED', to: 'REJECTED', count: 3 }],
    });
  });
});
