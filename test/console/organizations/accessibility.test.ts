import { randomUUID } from 'node:crypto';
import type { Organization } from '../../../shared/contract/staff/organizations.ts';
import { issueClient, organizationId } from '../../env/staff/clients.ts';
import type { StaffBrowser } from '../../env/staff/staff.ts';
import { prepareAxe } from '../env/axe.ts';
import { useConsole } from '../env/console-world.ts';
import { expectAccessible, WINDOWS } from '../env/expect-accessible.ts';

const world = useConsole();

/** As long as names may be, from right to left in part, and with what must stay text. */
const LONG_NAME = `<script>alert(1)</script>شركة ${'X'.repeat(220)}`;

async function createOrganization(admin: StaffBrowser): Promise<string> {
  const code = `INS-${randomUUID().slice(0, 8).toUpperCase()}`;
  const body = { code, name: LONG_NAME, type: 'INSURANCE_COMPANY' };
  const { envelope, text } = await admin.post('/admin/v1/organizations', body);
  if (envelope.data === null) throw new Error(text);
  return (envelope.data as unknown as Organization).id;
}

it.each(WINDOWS)(
  'the pages of organizations, clients and users meet WCAG 2.2 AA ($colorScheme, $viewport.width px)',
  async (window) => {
    const admin = await world.user('ADMINISTRATOR');
    const organization = await createOrganization(admin);
    const client = await issueClient(admin, { organizationId: organization, name: LONG_NAME });
    const poolId = await organizationId(admin, 'POOL-NORTH');
    const member = { insurerId: organization, validFrom: '2025-06-01' };
    await admin.post(`/admin/v1/pools/${poolId}/memberships`, member);
    const visit = await world.visit(window);
    const { page } = visit;
    await prepareAxe(visit);
    await page.goto('/console/organizations');
    await world.signIn(page, admin);
    const pages = [
      ['organizations', 'Organizations', 'region'],
      [`organizations/${organization}`, 'Organization', 'navigation'],
      [`organizations/${organization}?tab=clients`, 'Clients', 'region'],
      [`organizations/${organization}?tab=history`, 'Organization', 'navigation'],
      ['pools', 'Pools', 'region'],
      [`pools/${poolId}`, 'Memberships', 'region'],
      ['clients', 'Clients', 'region'],
      [`clients/${client.id}`, 'Secrets that work now', 'region'],
      [`clients/${client.id}?tab=change`, 'Client', 'navigation'],
      ['users', 'Users', 'region'],
      [`users/${admin.userId}`, 'User', 'navigation'],
    ] as const;
    for (const [path, name, role] of pages) {
      await page.goto(`/console/${path}`);
      await page.getByRole(role, { name, exact: true }).waitFor();
      await expectAccessible(visit);
    }
  },
);

it.each(WINDOWS)(
  'their dialogs meet WCAG 2.2 AA ($colorScheme, $viewport.width px)',
  async (window) => {
    const admin = await world.user('ADMINISTRATOR');
    const client = await issueClient(admin);
    const poolId = await organizationId(admin, 'POOL-NORTH');
    const visit = await world.visit(window);
    const { page } = visit;
    await prepareAxe(visit);
    await page.goto('/console/organizations');
    await world.signIn(page, admin);
    const dialogs = [
      ['organizations', 'Create an organization'],
      [`pools/${poolId}`, 'Add a member'],
      ['clients', 'Issue a client'],
      [`clients/${client.id}`, 'Suspend'],
      ['users', 'Create a user'],
    ] as const;
    for (const [path, action] of dialogs) {
      await page.goto(`/console/${path}`);
      await page.getByRole('button', { name: action }).click();
      await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor();
      await expectAccessible(visit);
    }
    await page.goto(`/console/clients/${client.id}`);
    await page.getByRole('button', { name: 'Rotate secrets' }).click();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByRole('dialog', { name: 'The secrets are replaced' }).waitFor();
    await expectAccessible(visit);
  },
);
