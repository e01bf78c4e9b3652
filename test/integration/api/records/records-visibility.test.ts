import type { CoverageResult } from '../../../../shared/contract/machine/coverage.ts';
import type { SearchResult } from '../../../../shared/contract/machine/record.ts';
import { findVisibleCertificate } from '../../../../shared/store/registry/visible-certificates.ts';
import {
  type RecordWorld,
  type Registered,
  recordBody,
  startRecordWorld,
} from '../../../env/records/record-world.ts';

/** One client for each organization. They include every type of organization. */
const CLIENTS = {
  alpha: 'INS-ALPHA',
  bravo: 'INS-BRAVO',
  charlie: 'INS-CHARLIE',
  'mgt-one': 'MGT-ONE',
  'alpha-read-only': 'POOL-NORTH',
  verifier: 'REG',
  dormant: 'INS-DORMANT',
} as const;
type ClientName = keyof typeof CLIENTS;
const NAMES = Object.keys(CLIENTS) as ClientName[];

let world: RecordWorld;
const records: Record<string, Registered> = {};

beforeAll(async () => {
  world = await startRecordWorld();
  const bravo = { issuingInsurerCode: 'INS-BRAVO' };
  records['without a pool'] = await world.register('bravo', recordBody(bravo));
  records['in a pool'] = await world.register(
    'bravo',
    recordBody({ ...bravo, poolCode: 'POOL-NORTH' }),
  );
  records['sent by the lead insurer'] = await world.register('alpha', recordBody(bravo));
  records['sent by the management company'] = await world.register('mgt-one', recordBody(bravo));
});
afterAll(() => world.stop());

const SEEN_BY: readonly (readonly [string, readonly ClientName[]])[] = [
  ['without a pool', ['bravo', 'verifier']],
  ['in a pool', ['alpha', 'bravo', 'mgt-one', 'alpha-read-only', 'verifier']],
  ['sent by the lead insurer', ['alpha', 'bravo', 'verifier']],
  ['sent by the management company', ['bravo', 'mgt-one', 'verifier']],
];

describe.each(SEEN_BY)("an insurer's record %s", (name, viewers) => {
  const record = () => records[name] as Registered;

  it.each(NAMES)(
    'is shown to %s in reads, searches and coverage checks only if visible (D23)',
    async (client) => {
      const { registryReference, body } = record();
      const isSeen = viewers.includes(client);

      const read = await world.get(client, `/ppai/policies/${registryReference}`);
      expect(read.status).toBe(isSeen ? 200 : 404);

      const { policyNumber } = body.policy;
      const plate = body.vehicles[0]?.plateNumber ?? '';
      for (const criterion of [`policyNumber=${policyNumber}`, `plateNumber=${plate}`]) {
        const found = await world.get(client, `/ppai/policies/search?${criterion}`);
        const { items, total } = found.envelope.data as unknown as SearchResult;
        expect(items.map((item) => item.registryReference)).toEqual(
          isSeen ? [registryReference] : [],
        );
        expect(total).toBe(isSeen ? 1 : 0);
      }

      const coverage = await world.get(client, `/ppai/vehicles/${plate}/coverage`);
      if (client === 'dormant') {
        // Its organization is not active (D34).
        expect(coverage.envelope.error?.code).toBe('FORBIDDEN');
      } else {
        const data = coverage.envelope.data as unknown as CoverageResult;
        expect(data.covered).toBe(true);
        expect(data.coverage?.insurerCode).toBe('INS-BRAVO');
        expect(data.coverage?.registryReference).toBe(isSeen ? registryReference : null);
      }

      const viewer = await world.viewer(CLIENTS[client]);
      const certificate = await findVisibleCertificate(world.db, registryReference, viewer);
      expect(certificate?.registryReference).toBe(isSeen ? registryReference : undefined);
    },
  );
});

it('a record becomes visible to a new lead insurer of its pool, and invisible to the former one', async () => {
  const { registryReference } = records['in a pool'] as Registered;
  const path = `/ppai/policies/${registryReference}`;
  await world.db.$executeRaw`
    UPDATE insurance_pools SET management_company_id = NULL,
      lead_insurer_id = (SELECT id FROM organizations WHERE code = 'INS-CHARLIE')`;
  try {
    expect((await world.get('charlie', path)).status).toBe(200);
    expect((await world.get('alpha', path)).status).toBe(404);
    expect((await world.get('mgt-one', path)).status).toBe(404);
    expect((await world.get('alpha-read-only', path)).status).toBe(200);
  } finally {
    await world.db.$executeRaw`
      UPDATE insurance_pools SET
        lead_insurer_id = (SELECT id FROM organizations WHERE code = 'INS-ALPHA'),
        management_company_id = (SELECT id FROM organizations WHERE code = 'MGT-ONE')`;
  }
});
