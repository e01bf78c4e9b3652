import type { FlagItem } from '../../../../shared/contract/staff/flags.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { FLAGS, raiseFlag } from '../../../env/staff/flags.ts';
import { auditedActions, listPage } from '../../../env/staff/lists.ts';
import { personalDataIn } from '../../../env/staff/records.ts';
import { fileOf, importEnded, lineOf, queued } from '../../../env/staff/reference-files.ts';
import { type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

let stack: Stack;
let admin: StaffBrowser;
let auditor: StaffBrowser;
beforeAll(async () => {
  stack = await startStack();
  admin = await signInAs(stack, 'ADMINISTRATOR');
  auditor = await signInAs(stack, 'AUDITOR');
});
afterAll(() => stack.stop());

/** Sent without the browser's check, which expects JSON. */
async function download(browser: StaffBrowser, path: string, accept = 'text/csv') {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return stack.sendRaw({
    method: 'GET',
    target: path,
    headers: { cookie, accept, host: new URL(stack.baseUrl).host },
  });
}

/** The lines of a complete export, without the last one. */
async function linesOf(path: string): Promise<string[]> {
  const { status, headers, text } = await download(auditor, path);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'cache-control': 'no-store',
  });
  expect(personalDataIn(text)).toEqual([]);
  const lines = text.replace(/^\uFEFF/, '').split('\r\n');
  expect(lines.pop()).toBe('');
  expect(lines.pop()).toBe(`# complete, ${lines.length - 1} rows`);
  return lines;
}

describe('an export', () => {
  it('has the rows of the filtered list in its order, and says that it is complete', async () => {
    const [first, second, third] = [
      await raiseFlag(stack, admin),
      await raiseFlag(stack, admin),
      await raiseFlag(stack, admin, {}, 'INS-BRAVO'),
    ];
    await admin.post(`${FLAGS}/${second.id}/clear`, { notes: '=HYPERLINK("http://x")' });
    const [heading, ...rows] = await linesOf(`${FLAGS}?insurerCode=INS-ALPHA&limit=1`);
    expect(heading).toMatch(/^id,type,status,createdAt,/);
    expect(rows.map((row) => row.split(',')[0])).toEqual([first.id, second.id]);
    expect(rows[1]).toContain(`"'=HYPERLINK(""http://x"")"`);
    const newest = await linesOf(`${FLAGS}?order=newest`);
    expect(newest[1]).toContain(third.id);
    expect(newest).toHaveLength(4);
    const { headers } = await download(auditor, FLAGS);
    expect(headers['content-disposition']).toBe('attachment; filename="flags.csv"');
  });

  it('of every list names each column of its heading as a member of the items', async () => {
    await stack.transmit('alpha', makeBody());
    const broken = await queued(admin, fileOf(lineOf('CAR'), 'CAR,,,,'));
    await importEnded(admin, broken.id);
    const errors = `/admin/v1/reference/imports/${broken.id}/errors`;
    for (const path of [
      '/admin/v1/records',
      '/admin/v1/transmissions',
      '/admin/v1/audit',
      errors,
    ]) {
      const [heading = '', ...rows] = await linesOf(path);
      const { items } = await listPage<Record<string, unknown>>(auditor, `${path}?limit=200`);
      expect(rows.length).toBeGreaterThan(0);
      for (const column of heading.split(',')) {
        const [member = ''] = column.split('.');
        expect(items[0]).toHaveProperty(member);
      }
    }
  });

  it('is audited with its filters, before the first row', async () => {
    const path = `${FLAGS}?status=OPEN,CLEARED&reviewedBy=somebody@staff.example`;
    await linesOf(path);
    const acts = await auditedActions(admin, 'LIST', 'flags');
    expect(acts.at(-1)).toMatchObject({
      action: 'LIST_EXPORTED',
      after: { filters: { status: ['OPEN', 'CLEARED'], reviewedBy: 's***@staff.example' } },
    });
  });

  it('reads more rows than a page has', async () => {
    const { db } = stack.api.context;
    const one = await db.flag.findFirstOrThrow();
    await db.$executeRaw`
      INSERT INTO flags (id, type, certificate_id, region, message, created_at)
      SELECT gen_random_uuid(), 'VEHICLE_MISMATCH', ${one.certificateId}::uuid, 'BARMM', 'No.', now() FROM generate_series(1, 2500)`;
    const rows = (await linesOf(`${FLAGS}?region=BARMM`)).slice(1);
    expect(new Set(rows.map((row) => row.split(',')[0])).size).toBe(2_500);
  });

  it('is JSON unless the caller prefers CSV, and refused like the list', async () => {
    for (const accept of ['*/*', 'application/json', 'text/html', 'application/json, text/csv']) {
      const { headers } = await download(auditor, FLAGS, accept);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
    const { items } = await listPage<FlagItem>(auditor, `${FLAGS}?limit=1`);
    expect(items).toHaveLength(1);
    const refusals = [
      await download(auditor, `${FLAGS}?status=GONE`),
      await download(await signInAs(stack, 'REVIEWER'), '/admin/v1/audit'),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([422, 403]);
    const unlisted = await download(auditor, '/admin/v1/organizations');
    expect(unlisted.headers['content-type']).toBe('application/json; charset=utf-8');
  });
});
