import { describeDifferences, outcomeTable } from '../../../../ops/demo/outcome-table.ts';
import { makeSampleBatch } from '../../../../ops/demo/sample-batch.ts';
import type { SampleItem } from '../../../../ops/demo/sample-item.ts';
import type { ItemOutcome } from '../../../../ops/demo/transmit-batch.ts';
import { IDENTIFIER_KINDS } from '../../../../shared/contract/enums.ts';
import { FINDING_CODES } from '../../../../shared/contract/findings.ts';
import {
  BODY_BYTES_MAX,
  TransmissionBody,
} from '../../../../shared/contract/machine/transmission.ts';
import { normalizeIdentifier } from '../../../../shared/domain/identifiers.ts';
import { acknowledgment } from '../../../pure/client/fake-registry.ts';

const first = makeSampleBatch({ number: 1, today: '2026-11-20' });
const next = makeSampleBatch({ number: 2, today: '2026-11-21' });

function identifiersOf(items: readonly SampleItem[]): Set<string> {
  return new Set(
    items.flatMap(({ body }) =>
      body.vehicles.flatMap((vehicle) =>
        IDENTIFIER_KINDS.map((kind) => `${kind} ${normalizeIdentifier(vehicle[kind])}`),
      ),
    ),
  );
}

/** Plates such as NCR1011 are in the reference data, and so the same in every run. */
function isOnFile(identifier: string): boolean {
  return /NCR\d{4}$|\d{4}NC[RX]$|13010000000\d{4}$/.test(identifier);
}

describe('the sample batch', () => {
  it('is the same each time it is made', () => {
    expect(makeSampleBatch({ number: 1, today: '2026-11-20' })).toEqual(first);
  });

  it('contains several hundred certificates, valid and invalid, and a fleet of 40', () => {
    expect(first.length).toBeGreaterThan(300);
    expect(new Set(first.map(({ kind }) => kind)).size).toBeGreaterThan(30);
    expect(Math.max(...first.map(({ body }) => body.vehicles.length))).toBe(40);
    const statuses = new Set(first.map(({ expected }) => expected.status));
    expect([...statuses].sort()).toEqual(['ACCEPTED', 'FLAGGED', 'REFUSED', 'REJECTED']);
  });

  it('is valid for the schema, except intended faults, and fits into a request', () => {
    for (const { body, expected } of first) {
      const isMeantToFail = expected.status === 'REFUSED' && expected.code === 'VALIDATION_FAILED';
      expect(TransmissionBody.safeParse(body).success).toBe(!isMeantToFail);
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(BODY_BYTES_MAX);
    }
  });

  it('has one id per request, except intended repetitions', () => {
    const firstWave = first
      .filter(({ wave }) => wave === 1)
      .map(({ body }) => body.externalTransactionId);
    expect(new Set(firstWave).size).toBe(firstWave.length);
    const repeated = first.filter(
      ({ wave, body }) => wave === 2 && firstWave.includes(body.externalTransactionId),
    );
    expect(new Set(repeated.map(({ kind }) => kind))).toEqual(
      new Set(['The same request once more', 'Another certificate, used id']),
    );
  });

  it('has different vehicles in each run, except those on file', () => {
    const known = identifiersOf(first);
    const shared = [...identifiersOf(next)].filter(
      (identifier) => known.has(identifier) && !isOnFile(identifier),
    );
    expect(shared.sort()).toEqual(['chassisNumber null', 'plateNumber NOPLATEYET']);
    const ids = new Set(first.map(({ body }) => body.externalTransactionId));
    expect(next.filter(({ body }) => ids.has(body.externalTransactionId))).toEqual([]);
  });

  it('covers the vehicles on file on different days in each run', () => {
    const onFile = (items: readonly SampleItem[]) =>
      items
        .filter(({ body }) =>
          body.vehicles.some(({ chassisNumber }) => chassisNumber?.startsWith('CHS')),
        )
        .map(({ body }) => body.certificate);
    const ends = onFile(first)
      .map(({ expirationDate }) => expirationDate ?? '')
      .sort();
    const begins = onFile(next)
      .map(({ effectiveDate }) => effectiveDate ?? '')
      .sort();
    expect(ends.length).toBeGreaterThan(30);
    expect(begins[0]?.localeCompare(ends.at(-1) ?? '')).toBe(1);
  });
});

describe('the table', () => {
  const item = first[0];
  if (item === undefined) throw new Error('The batch is empty.');
  const answered = { status: 201, requestId: null, retryAfterSeconds: null };
  const asExpected: ItemOutcome = {
    item,
    outcome: {
      ...answered,
      ok: true,
      error: null,
      data: acknowledgment({
        warnings: [
          {
            level: 4,
            severity: 'WARNING',
            code: 'REFERENCE_DATA_UNAVAILABLE',
            field: null,
            message: '',
          },
        ],
      }),
    },
  };
  const rejected: ItemOutcome = {
    item,
    outcome: {
      ...answered,
      status: 422,
      ok: false,
      error: { code: 'VALIDATION_FAILED', message: 'No.' },
      data: acknowledgment({ status: 'REJECTED' }),
    },
  };

  it('counts the outcomes of each kind', () => {
    const lines = outcomeTable([asExpected, asExpected]).split('\n');
    expect(lines[2]).toMatch(
      /^Jeepneys in the provinces +2 +2 +· +· +· +ok +REFERENCE_DATA_UNAVAILABLE$/,
    );
    expect(describeDifferences([asExpected])).toEqual([]);
  });

  it('fits a terminal of 120 columns, with whole codes and without VALIDATION_FAILED where details are more specific', () => {
    const [longest = '', second = ''] = Object.keys(FINDING_CODES).toSorted(
      (one, other) => other.length - one.length,
    );
    const details = [longest, second].map((code) => ({ code, message: '' }));
    const refused = {
      ...rejected.outcome,
      error: { code: 'VALIDATION_FAILED' as const, message: 'No.', details },
    } as ItemOutcome['outcome'];
    const table = outcomeTable(first.map((one) => ({ item: one, outcome: refused })));
    const lines = table.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(lines[2]).toMatch(new RegExp(`no  ${longest}$`));
  });

  it('shows differences from the expected outcomes', () => {
    expect(outcomeTable([asExpected, rejected])).toMatch(
      /Jeepneys in the provinces +2 +1 +· +1 +· +no/,
    );
    expect(describeDifferences([rejected])).toEqual([
      `  ${item.kind}, ${item.body.externalTransactionId}: REJECTED instead of ACCEPTED (VALIDATION_FAILED: No.)`,
    ]);
  });
});
