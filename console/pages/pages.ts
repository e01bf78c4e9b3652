import { type ComponentType, lazy } from 'react';
import type { Permission } from '../../shared/contract/staff.ts';

interface PageScript {
  /** Loads the script, at most once. */
  readonly load: () => Promise<unknown>;
  /** The page, if its script has been loaded; otherwise a lazy component that loads it. */
  readonly component: () => ComponentType;
}

export interface Page extends PageScript {
  /** The route below /console. */
  readonly path: string;
  /** A role without it neither sees the page in the navigation nor may open it. */
  readonly permission?: Permission;
  /** The entry of the navigation; a page without one is reached from elsewhere. */
  readonly link?: { readonly label: string; readonly to: string; readonly key: string };
}

/** A page whose script is loaded when it is opened. */
function lazyPage<Name extends string>(
  importScript: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): PageScript {
  let loaded: ComponentType | undefined;
  let loading: Promise<{ readonly default: ComponentType }> | undefined;
  const load = () => {
    loading ??= importScript().then((script) => {
      loaded = script[name];
      return { default: loaded };
    });
    return loading;
  };
  const Lazy = lazy(load);
  return { load, component: () => loaded ?? Lazy };
}

/** Every page, in the order of the navigation. */
export const PAGES: readonly Page[] = [
  {
    path: '/',
    ...lazyPage(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
    permission: 'records:read',
    link: { label: 'Overview', to: '/', key: 'g h' },
  },
  {
    path: '/flags/:flagId?',
    ...lazyPage(() => import('./flags/flags-page.tsx'), 'FlagsPage'),
    permission: 'flags:read',
    link: { label: 'Flags', to: '/flags?status=OPEN', key: 'g f' },
  },
  {
    path: '/records',
    ...lazyPage(() => import('./records/records-page.tsx'), 'RecordsPage'),
    permission: 'records:read',
    link: { label: 'Records', to: '/records', key: 'g r' },
  },
  {
    path: '/records/:registryReference',
    ...lazyPage(() => import('./records/record-page.tsx'), 'RecordPage'),
    permission: 'records:read',
  },
  {
    path: '/vehicles',
    ...lazyPage(() => import('./vehicles/vehicles-page.tsx'), 'VehiclesPage'),
    permission: 'records:read',
    link: { label: 'Vehicles', to: '/vehicles', key: 'g v' },
  },
  {
    path: '/vehicles/:vehicleId',
    ...lazyPage(() => import('./vehicles/vehicle-page.tsx'), 'VehiclePage'),
    permission: 'records:read',
  },
  {
    path: '/transmissions',
    ...lazyPage(() => import('./transmissions/transmissions-page.tsx'), 'TransmissionsPage'),
    permission: 'records:read',
    link: { label: 'Transmissions', to: '/transmissions', key: 'g t' },
  },
  {
    path: '/transmissions/:transmissionReference',
    ...lazyPage(() => import('./transmissions/detail/transmission-page.tsx'), 'TransmissionPage'),
    permission: 'records:read',
  },
  {
    path: '/queue',
    ...lazyPage(() => import('./queue/queue-page.tsx'), 'QueuePage'),
    permission: 'queue:read',
    link: { label: 'Queue', to: '/queue', key: 'g q' },
  },
  {
    path: '/queue/parked',
    ...lazyPage(() => import('./queue/parked/parked-page.tsx'), 'ParkedPage'),
    permission: 'queue:read',
  },
  {
    path: '/rules',
    ...lazyPage(() => import('./rules/rules-page.tsx'), 'RulesPage'),
    permission: 'rules:read',
    link: { label: 'Rules', to: '/rules', key: 'g l' },
  },
  {
    path: '/rules/new',
    ...lazyPage(() => import('./rules/form/new-draft-page.tsx'), 'NewDraftPage'),
    permission: 'rules:manage',
  },
  {
    path: '/rules/:ruleSetId',
    ...lazyPage(() => import('./rules/rule-set-page.tsx'), 'RuleSetPage'),
    permission: 'rules:read',
  },
  {
    path: '/reference',
    ...lazyPage(() => import('./reference/reference-page.tsx'), 'ReferencePage'),
    permission: 'reference:read',
    link: { label: 'Reference data', to: '/reference', key: 'g e' },
  },
  {
    path: '/reference/vehicles',
    ...lazyPage(
      () => import('./reference/vehicles/reference-vehicles-page.tsx'),
      'ReferenceVehiclesPage',
    ),
    permission: 'reference:read',
  },
  {
    path: '/reference/imports/:importId',
    ...lazyPage(() => import('./reference/import/import-page.tsx'), 'ImportPage'),
    permission: 'reference:read',
  },
  {
    path: '/organizations',
    ...lazyPage(() => import('./organizations/organizations-page.tsx'), 'OrganizationsPage'),
    permission: 'organizations:read',
    link: { label: 'Organizations', to: '/organizations', key: 'g o' },
  },
  {
    path: '/organizations/:organizationId',
    ...lazyPage(() => import('./organizations/organization-page.tsx'), 'OrganizationPage'),
    permission: 'organizations:read',
  },
  {
    path: '/pools',
    ...lazyPage(() => import('./pools/pools-page.tsx'), 'PoolsPage'),
    permission: 'organizations:read',
  },
  {
    path: '/pools/:poolId',
    ...lazyPage(() => import('./pools/pool-page.tsx'), 'PoolPage'),
    permission: 'organizations:read',
  },
  {
    path: '/clients',
    ...lazyPage(() => import('./clients/clients-page.tsx'), 'ClientsPage'),
    permission: 'clients:read',
    link: { label: 'Clients', to: '/clients', key: 'g c' },
  },
  {
    path: '/clients/:apiClientId',
    ...lazyPage(() => import('./clients/client-page.tsx'), 'ClientPage'),
    permission: 'clients:read',
  },
  {
    path: '/users',
    ...lazyPage(() => import('./users/users-page.tsx'), 'UsersPage'),
    permission: 'users:read',
    link: { label: 'Users', to: '/users', key: 'g u' },
  },
  {
    path: '/users/:userId',
    ...lazyPage(() => import('./users/user-page.tsx'), 'UserPage'),
    permission: 'users:read',
  },
  {
    path: '/audit',
    ...lazyPage(() => import('./audit/audit-page.tsx'), 'AuditPage'),
    permission: 'audit:read',
    link: { label: 'Audit', to: '/audit', key: 'g a' },
  },
  {
    path: '/account',
    ...lazyPage(() => import('./account/account-page.tsx'), 'AccountPage'),
  },
];
