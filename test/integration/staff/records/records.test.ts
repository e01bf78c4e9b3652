import type { RecordDetail, RecordSummary } from '../../../../shared/contract/machine/record.ts';
import { makePlainVehicle, makeVehicle, uniqueNumber } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { listAll } from '../../../env/staff/lists.ts';
import { personalDataIn, registerAs } from '../../../env/staff/records.ts';
import { type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

let stack: Stack;
let auditor: StaffBrowser;
beforeAll(async () => {
  stack = await startStack();
  auditor = await signInAs(stack, 'AUDITOR');
});
afterAll(() => stack.stop());

async function records(query: string): Promise<string[]> {
  const { status, envelope } = await auditor.get(`/admin/v1/records?${query}`);
  expect(status).toBe(200);
  const items = envelope.data?.['items'] as RecordSummary[];
  return items.map(({ registryReference }) => registryReference);
}

describe('the search for records', () => {
  it('finds the records of all organizations, the newest first', async () => {
    const [alpha, bravo] = [
      await registerAs(stack, 'INS-ALPHA'),
      await registerAs(stack, 'INS-BRAVO'),
    ];
    expect(await records('limit=2')).toEqual([bravo.registryReference, alpha.registryReference]);
    expect(await records('insurerCode=INS-BRAVO')).toEqual([bravo.registryReference]);
    expect(await records('transmitterCode=INS-BRAVO&limit=1')).toEqual([bravo.registryReference]);
  });

  it('finds by normalized identifiers and by numbers', async () => {
    const vehicle = makePlainVehicle();
    const { body, registryReference } = await registerAs(stack, 'INS-ALPHA', {
      vehicles: [vehicle],
    });
    const spaced = `${vehicle.plateNumber?.slice(0, 3)}%20${vehicle.plateNumber?.slice(3)}`;
    for (const query of [
      `plateNumber=${spaced.toLowerCase()}`,
      `engineNumber=${vehicle.engineNumber}&chassisNumber=${vehicle.chassisNumber}`,
      `policyNumber=${body.policy.policyNumber}`,
      `cocNumber=${body.certificate.cocNumber}&mvFileNumber=${vehicle.mvFileNumber}`,
    ]) {
      expect(await records(query)).toEqual([registryReference]);
    }
    expect(await records('plateNumber=ZZZ9999')).toEqual([]);
  });

  it('filters by status, lifecycle, region, pool, open flags and time', async () => {
    const plain = await registerAs(stack, 'INS-ALPHA', { operator: { region: 'IV-A' } });
    const pooled = await registerAs(stack, 'INS-ALPHA', {
      poolCode: 'POOL-NORTH',
      operator: { region: 'IV-A' },
      vehicles: [makeVehicle()],
    });
    expect(await records('region=IV-A')).toEqual([
      pooled.registryReference,
      plain.registryReference,
    ]);
    expect(await records('region=IV-A&poolCode=POOL-NORTH')).toEqual([pooled.registryReference]);
    expect(await records('region=IV-A&hasOpenFlags=true')).toEqual([pooled.registryReference]);
    expect(await records('region=IV-A&hasOpenFlags=false')).toEqual([plain.registryReference]);
    expect(await records('region=IV-A&status=ACTIVE&lifecycle=CURRENT')).toHaveLength(2);
    expect(await records('region=IV-A&status=EXPIRED')).toEqual([]);
    expect(await records('region=IV-A&lifecycle=CANCELLED')).toEqual([]);
    expect(await records('region=IV-A&registeredTo=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await records('region=IV-A&registeredFrom=2020-01-01T00:00:00Z')).toHaveLength(2);
  });

  it('returns each record once over all pages, with the total', async () => {
    for (let count = 0; count < 3; count += 1) {
      await registerAs(stack, 'INS-ALPHA', { operator: { region: 'X' } });
    }
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { envelope } = await auditor.get(`/admin/v1/records?region=X&limit=2${next}`);
      expect(envelope.data?.['total']).toBe(3);
      const items = envelope.data?.['items'] as RecordSummary[];
      seen.push(...items.map(({ registryReference }) => registryReference));
      cursor = envelope.data?.['nextCursor'] as string | null;
    }
    expect(seen).toEqual(await records('region=X'));
    expect(seen).toHaveLength(3);
  });

  it('refuses a criterion that is empty after normalization, an unknown filter and an invalid cursor', async () => {
    for (const query of ['plateNumber=--', 'colour=red', 'cursor=abc', 'region=NOWHERE']) {
      const { status, envelope } = await auditor.get(`/admin/v1/records?${query}`);
      expect([query, status, envelope.error?.code]).toEqual([query, 422, 'VALIDATION_FAILED']);
    }
  });
});

describe('a record', () => {
  it('is shown in full for any transmitter, with personal data masked', async () => {
    const { registryReference } = await registerAs(stack, 'INS-BRAVO');
    const { status, envelope, text } = await auditor.get(`/admin/v1/records/${registryReference}`);
    expect(status).toBe(200);
    expect(envelope.data).toMatchObject({ registryReference, versions: [{ version: 1 }] });
    expect(personalDataIn(text)).toEqual([]);
  });

  it('has a masked history in pages, with references that staff can follow (D33)', async () => {
    const { registryReference } = await registerAs(stack, 'INS-BRAVO', {
      vehicles: [makeVehicle()],
    });
    for (let version = 2; version <= 12; version += 1) {
      const answer = await stack.post('bravo', `/ppai/policies/${registryReference}/amendments`, {
        externalTransactionId: uniqueNumber('AMEND'),
        reason: 'Another address',
        changes: { operator: { address: `${version} Rizal Street` } },
      });
      expect(answer.status).toBe(200);
    }
    const path = `/admin/v1/records/${registryReference}`;
    const { envelope } = await auditor.get(path);
    const { versions, vehicles, flags, transmissions } = envelope.data as unknown as RecordDetail;
    const href = `${path}/versions/1`;
    expect(versions[0]?.snapshot).toEqual({ omitted: true, href });
    const first = await auditor.get(href);
    expect(first.envelope.data).toMatchObject({
      version: 1,
      snapshot: { operator: { contactEmailMasked: 'm***@example.org' } },
    });
    expect(personalDataIn(first.text)).toEqual([]);
    expect(await listAll(auditor, `${path}/vehicles`)).toEqual(vehicles);
    expect(await listAll(auditor, `${path}/flags`)).toEqual(flags);
    expect(await listAll(auditor, `${path}/transmissions`)).toEqual(transmissions.toReversed());
    expect(await listAll(auditor, `${path}/amendments/12/diff`)).toEqual([
      { path: 'operator.address', before: '11 Rizal Street', after: '12 Rizal Street' },
    ]);
    expect(await listAll(auditor, `${path}/amendments`)).toHaveLength(11);
    expect(await listAll(auditor, `${path}/versions/12/vehicles`)).toHaveLength(1);
  });

  it.each(['', '/versions', '/versions/1', '/vehicles', '/transmissions', '/flags'])(
    'is NOT_FOUND if it does not exist: %s',
    async (part) => {
      const { status, envelope } = await auditor.get(
        `/admin/v1/records/PPAI-2026-999999999${part}`,
      );
      expect([status, envelope.error?.code]).toEqual([404, 'NOT_FOUND']);
    },
  );
});
