import type { Role } from '../../../shared/contract/staff.ts';
import { issueClient, organizationId } from '../../env/staff/clients.ts';
import { useConsole } from '../env/console-world.ts';

const world = useConsole();

const ACTIONS = /Issue|Create|Suspend|Rename|Rotate|Revoke|Disable|Reset|Change|Add a member/;

it.each<Role>(['REVIEWER', 'AUDITOR'])(
  'a user with the role %s reads the pages of organizations and clients, without an action',
  async (role) => {
    const user = await world.user(role);
    const admin = await world.user('ADMINISTRATOR');
    const { id } = await issueClient(admin);
    const poolId = await organizationId(admin, 'POOL-NORTH');
    const insurerId = await organizationId(admin, 'INS-ALPHA');
    const { page } = await world.visitAs(user, '/console/organizations');
    const paths = [
      ['organizations', 'Organizations'],
      [`organizations/${insurerId}`, /^Alpha Insurance/],
      [`organizations/${poolId}`, /^Northern Insurance Pool/],
      ['pools', 'Pools'],
      ['clients', 'API clients'],
      [`clients/${id}`, /^issued-/],
    ] as const;
    for (const [path, name] of paths) {
      await page.goto(`/console/${path}`);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      expect(await page.getByRole('main').getByRole('button', { name: ACTIONS }).count()).toBe(0);
      expect(await page.locator('.tab-list').getByRole('link', { name: 'Change' }).count()).toBe(0);
      const histories = path.includes('/') && role === 'AUDITOR' ? 1 : 0;
      expect(await page.locator('.tab-list').getByRole('link', { name: 'History' }).count()).toBe(
        histories,
      );
    }
  },
);

it('an auditor reads users without an action', async () => {
  const auditor = await world.user('AUDITOR');
  const { page } = await world.visitAs(auditor, '/console/users');
  await page.getByRole('link', { name: auditor.email }).click();
  await page.getByRole('heading', { level: 1, name: auditor.email }).waitFor();
  expect(await page.getByRole('main').getByRole('button', { name: ACTIONS }).count()).toBe(0);
  await page.locator('.tab-list').getByRole('link', { name: 'History' }).click();
  await page.getByText('Mfa enrolled').or(page.getByText('MFA enrolled')).first().waitFor();
});

it('a reviewer neither sees users in the navigation nor opens their pages', async () => {
  const reviewer = await world.user('REVIEWER');
  for (const path of ['/console/users', `/console/users/${reviewer.userId}`]) {
    const { page } = await world.visitAs(reviewer, path);
    await page.getByRole('heading', { name: 'Your role does not include this page' }).waitFor();
    const navigation = page.getByRole('navigation', { name: 'Pages' });
    expect(await navigation.getByRole('link', { name: 'Users' }).count()).toBe(0);
    expect(await navigation.getByRole('link', { name: 'Clients' }).count()).toBe(1);
  }
});

it('an old link to an object that is not there says so', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const visit = await world.visit();
  visit.provoke(/status of 404/);
  const { page } = visit;
  await page.goto('/console/clients/not-an-id');
  await world.signIn(page, admin);
  await page.getByRole('heading', { name: 'There is no such client' }).waitFor();
  await page.goto('/console/users/00000000-0000-4000-8000-000000000000');
  await page.getByRole('heading', { name: 'There is no such user' }).waitFor();
});
