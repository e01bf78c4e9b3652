import type { VehicleBody } from '../../../../shared/contract/machine/transmission.ts';
import type { AuditItem } from '../../../../shared/contract/staff/audit.ts';
import type { FlagItem } from '../../../../shared/contract/staff/flags.ts';
import { addDays } from '../../../../shared/domain/calendar.ts';
import {
  makeBody,
  makePlainVehicle,
  makeReferenceVehicle,
  makeVehicle,
  today,
  uniqueNumber,
} from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

let stack: Stack;
let administrator: StaffBrowser;
let reviewer: StaffBrowser;
beforeAll(async () => {
  stack = await startStack();
  administrator = await signInAs(stack, 'ADMINISTRATOR');
  reviewer = await signInAs(stack, 'REVIEWER');
});
afterAll(() => stack.stop());

const NOTES = { notes: 'Seen at the office; the papers are in order.' };

/** Registers a record whose vehicle is not in the reference data. Returns its flag. */
async function registerFlagged(
  issuingInsurerCode = 'INS-ALPHA',
): Promise<FlagItem & { vehicle: object }> {
  const vehicle = makeVehicle();
  const client = issuingInsurerCode === 'INS-BRAVO' ? 'bravo' : 'alpha';
  const { acknowledgment } = await stack.transmit(
    client,
    makeBody({ issuingInsurerCode, vehicles: [vehicle] }),
  );
  expect(acknowledgment.status).toBe('FLAGGED');
  const [flag] = await list(`registryReference=${acknowledgment.registryReference}`);
  if (flag === undefined) throw new Error('no flag is listed');
  return { ...flag, vehicle: { plateNumber: vehicle.plateNumber } };
}

async function list(query: string): Promise<FlagItem[]> {
  const { status, envelope } = await reviewer.get(`/admin/v1/flags?${query}`);
  expect(status).toBe(200);
  return envelope.data?.['items'] as FlagItem[];
}

async function auditOf(flagId: string): Promise<AuditItem[]> {
  const { envelope } = await administrator.get(
    `/admin/v1/audit?targetType=FLAG&targetId=${flagId}`,
  );
  return envelope.data?.['items'] as AuditItem[];
}

const ids = (flags: readonly FlagItem[]) => flags.map(({ id }) => id);

describe('flags', () => {
  it('are listed for all organizations, by status, type, region and insurer', async () => {
    const [alpha, bravo] = [await registerFlagged(), await registerFlagged('INS-BRAVO')];
    expect(ids(await list('limit=200'))).toEqual(expect.arrayContaining([alpha.id, bravo.id]));
    expect(ids(await list('insurerCode=INS-BRAVO'))).toEqual([bravo.id]);
    const both = 'status=OPEN&type=VEHICLE_MISMATCH&region=NCR&limit=200';
    expect(ids(await list(both))).toEqual(expect.arrayContaining([alpha.id, bravo.id]));
    expect(await list('type=IDENTIFIER_CONFLICT')).toEqual([]);
    expect(await list('region=CAR')).toEqual([]);
    expect(await list('status=CLEARED&insurerCode=INS-BRAVO')).toEqual([]);
  });

  it('name the record of any insurer whose identifiers conflict, in lists and acknowledgments', async () => {
    const [ours, theirs] = [makePlainVehicle(), makePlainVehicle()];
    const date = (days: number) => addDays(today(), days);
    const past = { effectiveDate: date(-20), expirationDate: date(-10) };
    const register = async (client: string, vehicles: VehicleBody[], certificate = {}) => {
      const issuingInsurerCode = `INS-${client.toUpperCase()}`;
      const body = makeBody({ issuingInsurerCode, vehicles, certificate });
      return (await stack.transmit(client, body)).acknowledgment;
    };
    const related = await register('alpha', [ours], past);
    await register('bravo', [theirs], past);
    const { registryReference, transmissionReference } = await register('bravo', [
      { ...theirs, plateNumber: ours.plateNumber },
    ]);
    const names = { relatedRegistryReference: related.registryReference };
    const [flag] = await list(`registryReference=${registryReference}`);
    const whole = {
      ...names,
      relatedCertificateId: expect.any(String),
      relatedInsurerName: 'Alpha Insurance',
    };
    expect(flag).toMatchObject({ type: 'IDENTIFIER_CONFLICT', ...whole });
    expect((await reviewer.get(`/admin/v1/flags/${flag?.id}`)).envelope.data).toMatchObject(whole);
    const record = await reviewer.get(`/admin/v1/records/${registryReference}`);
    expect(record.envelope.data).toMatchObject({ flags: [whole] });
    const sent = await reviewer.get(`/admin/v1/transmissions/${transmissionReference}`);
    expect(sent.envelope.data).toMatchObject({ acknowledgment: { flags: [names] } });
  });

  it('are listed by age, the oldest or the newest first', async () => {
    const [young, old] = [await registerFlagged(), await registerFlagged()];
    const created = new Date(Date.now() - 40 * 86_400_000 - 60_000);
    await stack.api.context.db.flag.update({
      where: { id: old.id },
      data: { createdAt: created },
    });
    expect(ids(await list('ageDaysMin=40'))).toEqual([old.id]);
    expect(ids(await list('ageDaysMin=40&ageDaysMax=40'))).toEqual([old.id]);
    expect(await list('ageDaysMin=41')).toEqual([]);
    expect(ids(await list('ageDaysMax=0&limit=200'))).not.toContain(old.id);
    expect(ids(await list('order=oldest&limit=1'))).toEqual([old.id]);
    expect(ids(await list('order=newest&limit=1'))).toEqual([young.id]);
    const [found] = await list('ageDaysMin=40');
    expect(found?.ageDays).toBe(40);
  });

  it('are each returned once over all pages, with the total', async () => {
    for (let count = 0; count < 3; count += 1) await registerFlagged();
    const all = ids(await list('limit=200'));
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { envelope } = await reviewer.get(`/admin/v1/flags?limit=2${next}`);
      expect(envelope.data?.['total']).toBe(all.length);
      seen.push(...ids(envelope.data?.['items'] as FlagItem[]));
      cursor = envelope.data?.['nextCursor'] as string | null;
    }
    expect(seen).toEqual(all);
  });

  it('can be read one by one', async () => {
    const { vehicle: _vehicle, ...flag } = await registerFlagged();
    const { status, envelope } = await reviewer.get(`/admin/v1/flags/${flag.id}`);
    expect({ status, data: envelope.data }).toEqual({ status: 200, data: flag });
  });
});

describe('a review', () => {
  it('clears a flag, records reviewer, time and notes, and is audited', async () => {
    const { id } = await registerFlagged();
    const { status, envelope } = await reviewer.post(`/admin/v1/flags/${id}/clear`, NOTES);
    expect(status).toBe(200);
    expect(envelope.data).toMatchObject({
      id,
      status: 'CLEARED',
      reviewedBy: reviewer.email,
      reviewedAt: expect.any(String),
      reviewNotes: NOTES.notes,
    });
    expect(await auditOf(id)).toEqual([
      expect.objectContaining({
        action: 'FLAG_CLEARED',
        actor: { kind: 'STAFF', id: reviewer.userId, email: reviewer.email, role: 'REVIEWER' },
        before: { status: 'OPEN' },
        after: expect.objectContaining({ status: 'CLEARED', reviewNotes: NOTES.notes }),
      }),
    ]);
  });

  it('refers a flag to the insurer, who sees the review in the record but not the reviewer', async () => {
    const { id, registryReference } = await registerFlagged();
    const { envelope } = await reviewer.post(`/admin/v1/flags/${id}/refer`, NOTES);
    expect(envelope.data).toMatchObject({ id, status: 'REFERRED_TO_INSURER' });
    expect(await auditOf(id)).toMatchObject([{ action: 'FLAG_REFERRED' }]);
    const record = await stack.get('alpha', `/ppai/policies/${registryReference}`);
    expect(record.envelope.data).toMatchObject({
      openFlagCount: 0,
      flags: [
        { id, status: 'REFERRED_TO_INSURER', reviewedBy: 'REGULATOR', reviewNotes: NOTES.notes },
      ],
    });
    expect(record.text).not.toContain(reviewer.email);
    const seenByStaff = await reviewer.get(`/admin/v1/records/${registryReference}`);
    expect(seenByStaff.envelope.data).toMatchObject({
      flags: [{ id, reviewedBy: reviewer.email }],
    });
  });

  it('succeeds for one of several concurrent requests; the others get CONFLICT', async () => {
    const { id } = await registerFlagged();
    const acts = ['clear', 'refer', 'clear', 'refer', 'clear', 'refer'] as const;
    const answers = await Promise.all(
      acts.map((act, at) =>
        (at % 2 === 0 ? reviewer : administrator).post(`/admin/v1/flags/${id}/${act}`, NOTES),
      ),
    );
    const codes = answers.map(({ status, envelope }) => envelope.error?.code ?? status);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(acts.length - 1);
    expect(await auditOf(id)).toHaveLength(1);
  });

  it('is CONFLICT for a flag that is not OPEN, and changes nothing', async () => {
    const { id } = await registerFlagged();
    await reviewer.post(`/admin/v1/flags/${id}/clear`, NOTES);
    const again = await administrator.post(`/admin/v1/flags/${id}/refer`, { notes: 'Other notes' });
    expect([again.status, again.envelope.error?.code]).toEqual([409, 'CONFLICT']);
    expect(again.envelope.error?.message).toContain('CLEARED');
    const { envelope } = await reviewer.get(`/admin/v1/flags/${id}`);
    expect(envelope.data).toMatchObject({ status: 'CLEARED', reviewNotes: NOTES.notes });
  });

  it('does not resolve a referred flag; the amendment that removes its cause does', async () => {
    const { id, registryReference, vehicle } = await registerFlagged();
    await reviewer.post(`/admin/v1/flags/${id}/refer`, NOTES);
    const amended = await stack.post('alpha', `/ppai/policies/${registryReference}/amendments`, {
      externalTransactionId: uniqueNumber('AMEND'),
      reason: 'The vehicle was another one',
      changes: { vehicles: { add: [makeReferenceVehicle(41)], remove: [vehicle] } },
    });
    expect(amended.status).toBe(200);
    const { envelope } = await reviewer.get(`/admin/v1/flags/${id}`);
    expect(envelope.data).toMatchObject({
      status: 'RESOLVED_BY_AMENDMENT',
      reviewedBy: reviewer.email,
      reviewNotes: NOTES.notes,
    });
    const late = await reviewer.post(`/admin/v1/flags/${id}/clear`, NOTES);
    expect(late.envelope.error?.code).toBe('CONFLICT');
  });

  it('needs notes, an existing flag and a role with the permission', async () => {
    const { id } = await registerFlagged();
    const without = await reviewer.post(`/admin/v1/flags/${id}/clear`, { notes: '  ' });
    expect([without.status, without.envelope.error?.code]).toEqual([422, 'VALIDATION_FAILED']);
    for (const other of ['6f1b2c1e-3f0a-4c57-9a53-0d8a5f1c7b11', 'nothing']) {
      const unknown = await reviewer.post(`/admin/v1/flags/${other}/clear`, NOTES);
      expect([unknown.status, unknown.envelope.error?.code]).toEqual([404, 'NOT_FOUND']);
    }
    const auditor = await signInAs(stack, 'AUDITOR');
    const refused = await auditor.post(`/admin/v1/flags/${id}/clear`, NOTES);
    expect([refused.status, refused.envelope.error?.code]).toEqual([403, 'FORBIDDEN']);
    expect((await auditor.get(`/admin/v1/flags/${id}`)).envelope.data).toMatchObject({
      status: 'OPEN',
    });
  });
});
