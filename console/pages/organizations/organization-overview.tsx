import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { DataOf } from '../../api/contract.ts';
import { useRead } from '../../api/queries.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Facts, Identifier } from '../../ui/values/facts.tsx';
import { When } from '../../ui/values/when.tsx';
import { inWords } from '../../words.ts';
import type { Organization } from './organization.ts';

export function OrganizationOverview({ organization }: { organization: Organization }) {
  const { id, code, type, createdAt } = organization;
  const { data, error, refetch } = useRead('countForOrganization', {
    params: { organizationId: id },
  });
  return (
    <>
      <Facts
        facts={[
          ['Code', <Identifier key="code">{code}</Identifier>],
          ['Type', inWords(type)],
          ['Created', <When key="created" at={createdAt} isExact />],
        ]}
      />
      <h2>What belongs to it</h2>
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      {data === undefined ? null : <Facts facts={countFacts(organization, data)} />}
    </>
  );
}

function countFacts(
  { id, code }: Organization,
  counts: DataOf<'countForOrganization'>,
): [string, ReactNode][] {
  const figure = (count: number): string => count.toLocaleString('en');
  return [
    [
      'Clients',
      <Link key="clients" href={`/organizations/${id}?tab=clients`}>
        {figure(counts.clients)}, {figure(counts.activeClients)} active
      </Link>,
    ],
    [
      'Memberships of pools today',
      <Link key="memberships" href={`/organizations/${id}?tab=memberships`}>
        {figure(counts.memberships)}
      </Link>,
    ],
    ['Policies', figure(counts.policies)],
    [
      'Open flags',
      <Link key="flags" href={`/flags?status=OPEN&insurerCode=${encodeURIComponent(code)}`}>
        {figure(counts.openFlags)}
      </Link>,
    ],
    ['Waiting transmissions', figure(counts.waiting)],
    ['Parked transmissions', figure(counts.parked)],
  ];
}
