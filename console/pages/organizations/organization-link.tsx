import { Link } from 'wouter';
import { type Organization, pathOf } from './organization.ts';

export function OrganizationLink(organization: Pick<Organization, 'id' | 'name' | 'type'>) {
  return (
    <Link href={pathOf(organization)}>
      <bdi>{organization.name}</bdi>
    </Link>
  );
}
