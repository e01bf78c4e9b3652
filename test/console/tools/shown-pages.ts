import type { Page } from 'playwright-core';
import type { Role } from '../../../shared/contract/staff.ts';
import { findFirst } from './find-in-api.ts';

export interface ShownPage {
  /** The first part of the names of its files. */
  readonly name: string;
  /** The user who looks at it. */
  readonly role: Role;
  /** Below /console; a function for the path of an object, which it finds in the registry. */
  readonly path: string | ((page: Page) => Promise<string>);
  /** What to do once the page has loaded, such as opening a dialog. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** True for a page that says that it cannot be shown. */
  readonly isRefusal?: boolean;
}

const FLAGS = '/admin/v1/flags';
const CONFLICTS = `${FLAGS}?type=IDENTIFIER_CONFLICT&limit=1`;

const flag = (type: string) => async (page: Page) =>
  `/flags/${await findFirst(page, `${FLAGS}?status=OPEN&type=${type}&limit=1`)}?status=OPEN`;
const record =
  (tab = '') =>
  async (page: Page) =>
    `/records/${await findFirst(page, '/admin/v1/records?hasOpenFlags=true&limit=1', 'registryReference')}${tab}`;
const transmission = async (page: Page) =>
  `/transmissions/${await findFirst(page, '/admin/v1/transmissions?status=REJECTED&limit=1', 'transmissionReference')}`;
const vehicle = async (page: Page) => `/vehicles/${await findFirst(page, CONFLICTS, 'vehicleId')}`;
/** The page of the first object of a list of the API. */
const first = (folder: string, list: string) => async (page: Page) =>
  `${folder}/${await findFirst(page, `/admin/v1/${list}`)}`;

/** Every page of the console, and states of it that are worth looking at. A new page belongs here. */
export const SHOWN_PAGES: readonly ShownPage[] = [
  { name: 'overview', role: 'ADMINISTRATOR', path: '/' },
  { name: 'overview-reviewer', role: 'REVIEWER', path: '/' },
  { name: 'flags', role: 'REVIEWER', path: '/flags?status=OPEN' },
  { name: 'flags-none', role: 'REVIEWER', path: '/flags?insurerCode=INS-NONE' },
  { name: 'flags-refused-filter', role: 'REVIEWER', path: '/flags?status=OPEN&region=MARS' },
  { name: 'flag-mismatch', role: 'REVIEWER', path: flag('VEHICLE_MISMATCH') },
  { name: 'flag-conflict', role: 'REVIEWER', path: flag('IDENTIFIER_CONFLICT') },
  {
    name: 'flag-without-notes',
    role: 'REVIEWER',
    path: flag('IDENTIFIER_CONFLICT'),
    prepare: (page) => page.getByRole('button', { name: 'Clear', exact: true }).click(),
  },
  { name: 'flag-auditor', role: 'AUDITOR', path: flag('IDENTIFIER_CONFLICT') },
  { name: 'records', role: 'REVIEWER', path: '/records' },
  { name: 'record', role: 'REVIEWER', path: record() },
  { name: 'record-vehicles', role: 'REVIEWER', path: record('?tab=vehicles') },
  { name: 'record-versions', role: 'REVIEWER', path: record('?tab=versions') },
  { name: 'record-timeline', role: 'REVIEWER', path: record('?tab=timeline') },
  { name: 'vehicle', role: 'REVIEWER', path: vehicle },
  { name: 'transmissions', role: 'ADMINISTRATOR', path: '/transmissions' },
  { name: 'transmission', role: 'ADMINISTRATOR', path: transmission },
  { name: 'queue', role: 'ADMINISTRATOR', path: '/queue' },
  { name: 'queue-parked', role: 'ADMINISTRATOR', path: '/queue/parked' },
  { name: 'rules', role: 'ADMINISTRATOR', path: '/rules' },
  { name: 'rule-set', role: 'ADMINISTRATOR', path: first('/rules', 'rule-sets') },
  { name: 'reference', role: 'ADMINISTRATOR', path: '/reference' },
  { name: 'import', role: 'ADMINISTRATOR', path: first('/reference/imports', 'reference/imports') },
  { name: 'organizations', role: 'ADMINISTRATOR', path: '/organizations' },
  { name: 'organization', role: 'ADMINISTRATOR', path: first('/organizations', 'organizations') },
  { name: 'pools', role: 'ADMINISTRATOR', path: '/pools' },
  { name: 'pool', role: 'ADMINISTRATOR', path: first('/pools', 'pools') },
  { name: 'clients', role: 'ADMINISTRATOR', path: '/clients' },
  { name: 'client', role: 'ADMINISTRATOR', path: first('/clients', 'clients') },
  { name: 'users', role: 'ADMINISTRATOR', path: '/users' },
  { name: 'user', role: 'ADMINISTRATOR', path: first('/users', 'users') },
  { name: 'audit', role: 'AUDITOR', path: '/audit' },
  { name: 'account', role: 'REVIEWER', path: '/account' },
  {
    name: 'menu',
    role: 'REVIEWER',
    path: '/account',
    prepare: (page) => page.locator('.user-button').click(),
  },
  {
    name: 'shortcuts',
    role: 'REVIEWER',
    path: '/account',
    prepare: async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'not-found', role: 'REVIEWER', path: '/nowhere', isRefusal: true },
  { name: 'forbidden', role: 'REVIEWER', path: '/users', isRefusal: true },
];
