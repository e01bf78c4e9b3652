import {
  hasOlderEvents,
  makeRecordEvents,
} from '../../../../console/pages/records/detail/record-events.ts';

type RecordDetail = Parameters<typeof makeRecordEvents>[0];

const VERSION = {
  version: 1,
  createdAt: '2026-01-01T00:00:00Z',
  actor: 'alpha',
  transmissionReference: 'TX-1',
};
const ALPHA = { name: 'Alpha Insurance' };

function recordOf(changes: object): RecordDetail {
  const nothing = {
    versions: [],
    amendments: [],
    cancellation: null,
    flags: [],
    transmissions: [],
  };
  return { currentVersion: 1, ...nothing, ...changes } as unknown as RecordDetail;
}

function flagOf(changes: object) {
  return {
    id: 'f1',
    type: 'VEHICLE_MISMATCH',
    status: 'OPEN',
    plateNumber: 'ABC1',
    message: 'The engine number differs.',
    createdAt: '2026-01-02T00:00:00Z',
    reviewedAt: null,
    reviewedBy: null,
    reviewNotes: null,
    ...changes,
  };
}

describe('the timeline of a record', () => {
  it('begins with the registration and has each amendment with its reason, the newest first', () => {
    const amended = { ...VERSION, version: 2, createdAt: '2026-02-01T00:00:00Z' };
    const amendment = { toVersion: 2, reason: 'A typing error', organization: ALPHA };
    const record = recordOf({ versions: [amended, VERSION], amendments: [amendment] });
    expect(makeRecordEvents(record).map(({ what, by, notes }) => [what, by, notes])).toEqual([
      ['Amended: version 2', 'Alpha Insurance (alpha)', 'A typing error'],
      ['Registered', 'alpha', null],
    ]);
  });

  it('has the cancellation with the day from which it counts', () => {
    const cancellation = {
      createdAt: '2026-03-01T00:00:00Z',
      cancellationEffectiveDate: '2026-03-15',
      organization: ALPHA,
      actor: 'alpha',
      reasonText: 'Sold',
      transmissionReference: 'TX-9',
    };
    expect(makeRecordEvents(recordOf({ versions: [VERSION], cancellation }))[0]).toEqual({
      key: 'cancellation',
      at: '2026-03-01T00:00:00Z',
      what: 'Cancelled as of 2026-03-15',
      by: 'Alpha Insurance (alpha)',
      notes: 'Sold',
      more: { path: '/transmissions/TX-9', text: 'TX-9' },
    });
  });

  it('has when a flag was raised and, once it is decided, by whom and why', () => {
    const decided = flagOf({
      status: 'CLEARED',
      reviewedAt: '2026-01-03T00:00:00Z',
      reviewedBy: 'reviewer@example.org',
      reviewNotes: 'seen',
    });
    expect(makeRecordEvents(recordOf({ flags: [flagOf({})] })).map(({ what }) => what)).toEqual([
      'Flag raised: Vehicle mismatch ABC1',
    ]);
    const [last, first] = makeRecordEvents(recordOf({ flags: [decided] }));
    expect([last?.what, last?.by, last?.notes]).toEqual([
      'Cleared: Vehicle mismatch ABC1',
      'reviewer@example.org',
      'seen',
    ]);
    expect(first?.notes).toBe('The engine number differs.');
  });

  it('has the transmissions that were rejected, but not the others', () => {
    const rejected = {
      transmissionReference: 'TX-3',
      kind: 'AMEND',
      status: 'REJECTED',
      errorCode: 'STALE_VERSION',
      receivedAt: '2026-01-04T00:00:00Z',
      completedAt: null,
      transmittingOrg: ALPHA,
      actor: 'alpha',
    };
    const accepted = { ...rejected, transmissionReference: 'TX-4', status: 'ACCEPTED' };
    const events = makeRecordEvents(recordOf({ transmissions: [accepted, rejected] }));
    expect(events.map(({ key, what }) => [key, what])).toEqual([
      ['rejected TX-3', 'Rejected: amend, STALE_VERSION'],
    ]);
  });

  it('says when record detail left out older versions', () => {
    expect(hasOlderEvents(recordOf({ versions: [VERSION] }))).toBe(false);
    expect(hasOlderEvents(recordOf({ versions: [VERSION], currentVersion: 2 }))).toBe(true);
  });
});
