import { Client } from 'pg';
import type { TransmissionQuery } from '../../../shared/contract/staff/records.ts';
import type { Db } from '../../../shared/db/prisma.ts';
import { listTransmissions } from '../../../shared/store/staff/transmissions.ts';

/** One in a hundred transmissions is in progress; the others are rejected. */
const IN_PROGRESS_EVERY = 100;
const LIMIT = 50;

/**
 * Adds unregistered transmissions to a database of `fillRegistry`, one for each minute before `until`.
 * Transmission n has the policy number POL<n> and the certificate number COC<n>.
 */
export async function addUnregistered(url: string, count: number, until: Date): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO transmissions (id, sequence, transmission_reference, organization_id, external_transaction_id, kind, actor,
         status, request_hash, body_sealed, policy_number, coc_number, issuing_insurer_code, request_id, received_at,
         completed_at, acknowledgment, error_code)
       SELECT gen_random_uuid(), s, 'PPAI-TX-2026-' || lpad(s::text, 9, '0'), (SELECT min(id::text)::uuid FROM organizations),
         'UNREGISTERED-' || n, 'CREATE', 'client', CASE WHEN is_rejected THEN 'REJECTED' ELSE 'RECEIVED' END, '', '',
         'POL' || n, 'COC' || n, 'INS-1', 'request', $2::timestamptz - n * interval '1 minute',
         CASE WHEN is_rejected THEN $2::timestamptz END, CASE WHEN is_rejected THEN '{}'::json END,
         CASE WHEN is_rejected THEN (ARRAY['VALIDATION_FAILED', 'VEHICLE_ALREADY_INSURED'])[1 + n % 2] END
       FROM (SELECT n, n % ${IN_PROGRESS_EVERY} <> 0 AS is_rejected, nextval('transmission_sequence') AS s
             FROM generate_series(1, $1::int) n) AS numbered`,
      [count, until],
    );
    await client.query('VACUUM ANALYZE transmissions');
  } finally {
    await client.end();
  }
}

const DAY_MS = 86_400_000;

/** Lists of transmissions that staff request, at the time `until`. */
export function staffLists(
  until: Date,
): readonly (readonly [string, Partial<TransmissionQuery>])[] {
  const daysBefore = (days: number) => new Date(until.getTime() - days * DAY_MS).toISOString();
  return [
    ['transmissions by policy number', { policyNumber: 'POL1001' }],
    ['transmissions by the policy of a fleet', { policyNumber: 'POL0' }],
    ['transmissions by COC number', { cocNumber: 'COC1001' }],
    ['transmissions by error code', { errorCode: 'VEHICLE_ALREADY_INSURED' }],
    ['cancellations', { kind: 'CANCEL' }],
    ['transmissions of a day', { receivedFrom: daysBefore(2), receivedTo: daysBefore(1) }],
    ['transmissions since a day', { receivedFrom: daysBefore(1) }],
    ['transmissions until a day', { receivedTo: daysBefore(1) }],
    ['transmissions that are parked', { parked: true }],
  ];
}

export function readStaffList(db: Pick<Db, '$queryRaw'>, query: Partial<TransmissionQuery>) {
  return listTransmissions(db as Db, { limit: LIMIT, ...query });
}
