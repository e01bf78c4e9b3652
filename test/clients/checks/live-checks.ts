import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import {
  BODY_BYTES_MAX,
  type TransmissionBody,
} from '../../../shared/contract/machine/transmission.ts';
import { makeBody, uniqueNumber } from '../../env/api/bodies.ts';
import type { DriverAnswer, Session } from '../driven-client.ts';
import type { Check } from './check.ts';

const PAGES_MAX = 100;
const POLICIES = `${API_BASE}/ppai/policies`;

/** Checks with a session at a running registry. */
export function makeLiveChecks(session: Session): readonly Check[] {
  const transmit = (file: string) => session.ask('transmit', file);
  const send = async (...request: string[]): Promise<DriverAnswer> => {
    const [answer] = await session.ask('send', ...request);
    assert(answer !== undefined, 'the driver printed nothing');
    return answer;
  };

  return [
    {
      name: 'transmits a body with Ñ and a final newline, and follows it to ACCEPTED',
      run: async (_client, folder) => {
        const body = makeBody({ operator: { name: 'Niño Peña' } });
        const file = writeBody(folder, `${JSON.stringify(body, null, 2)}\n`);
        const [first, last] = await transmit(file);
        assert.equal(first?.status, 202);
        assert.deepEqual([last?.status, last?.data?.['status']], [200, 'ACCEPTED']);
        const [replay] = await transmit(file);
        assert.deepEqual([replay?.status, replay?.data?.['replayed']], [200, true]);
        const record = await send(
          'GET',
          `${POLICIES}/${String(last?.data?.['registryReference'])}`,
        );
        const operator = record.data?.['operator'] as { readonly name: string } | undefined;
        assert.equal(operator?.name, 'Niño Peña');
      },
    },
    {
      name: 'transmits a body of 1 MB',
      run: async (_client, folder) => {
        const text = JSON.stringify(makeBody());
        const file = writeBody(folder, text + ' '.repeat(BODY_BYTES_MAX - text.length));
        const [, last] = await transmit(file);
        assert.equal(last?.data?.['status'], 'ACCEPTED');
      },
    },
    {
      name: 'shows why a transmission is rejected',
      run: async (_client, folder) => {
        const body: TransmissionBody = makeBody({ policy: { coverageType: 'UNKNOWN' } });
        const [, last] = await transmit(writeBody(folder, JSON.stringify(body)));
        assert.equal(last?.data?.['status'], 'REJECTED');
        const errors = last?.data?.['errors'] as readonly { readonly field: string }[] | undefined;
        assert.deepEqual(
          errors?.map(({ field }) => field),
          ['policy.coverageType'],
        );
      },
    },
    {
      name: 'sends a target with %2F and +',
      run: async (_client, folder) => {
        const policyNumber = `${uniqueNumber('POL/')} A`;
        const file = writeBody(folder, JSON.stringify(makeBody({ policy: { policyNumber } })));
        await transmit(file);
        const query = new URLSearchParams({ policyNumber }).toString();
        assert.match(query, /%2F.*\+/);
        const found = await send('GET', `${POLICIES}/search?${query}`);
        assert.deepEqual([found.status, found.data?.['total']], [200, 1]);
        const path = `${API_BASE}/ppai/vehicles/ABC%2F12+3/coverage`;
        const notFound = await send('GET', path);
        assert.deepEqual([notFound.status, notFound.code], [404, 'NOT_FOUND']);
      },
    },
    {
      name: 'reads the change feed from its beginning, page by page',
      run: async (_client, folder) => {
        const [, last] = await transmit(writeBody(folder, JSON.stringify(makeBody())));
        const wanted = last?.data?.['registryReference'];
        const found: unknown[] = [];
        for (let after = '', pages = 0; !found.includes(wanted); pages += 1) {
          assert(pages < PAGES_MAX, `${String(wanted)} is not in the feed`);
          const [page] = await session.ask('changes', after);
          assert.equal(page?.status, 200);
          const items = page.data?.['items'] as readonly { readonly registryReference: string }[];
          assert(items.length <= 2, `a page has ${items.length} items`);
          found.push(...items.map(({ registryReference }) => registryReference));
          after = String(page.data?.['next']);
        }
        assert.equal(found.filter((one) => one === wanted).length, 1);
        const [refused] = await session.ask('changes', 'unknown');
        assert.deepEqual([refused?.status, refused?.code], [422, 'VALIDATION_FAILED']);
      },
    },
    {
      name: 'sends an empty body',
      run: async (_client, folder) => {
        const refused = await send('POST', POLICIES, writeBody(folder, ''));
        assert.deepEqual([refused.status, refused.code], [422, 'VALIDATION_FAILED']);
      },
    },
  ];
}

function writeBody(folder: string, text: string): string {
  const file = join(folder, `${uniqueNumber('body')}.json`);
  writeFileSync(file, text);
  return file;
}
