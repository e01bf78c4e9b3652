import type { AmendmentBody } from '../../../../shared/contract/machine/amendment.ts';
import type { AmendedVehicles } from '../changes.ts';

const PERIOD = ['certificate.expirationDate', 'certificate.effectiveDate'];

/** Members that may cause a finding about another member, the most likely first. */
const CAUSES: Readonly<Record<string, readonly string[]>> = {
  'NOT_AUTHORIZED_TO_TRANSMIT issuingInsurerCode': ['policy.issuanceDate', 'issuingInsurerCode'],
  'POOL_MEMBERSHIP_NOT_FOUND poolCode': ['poolCode', 'policy.issuanceDate'],
  'INVALID_DATE_RANGE certificate.expirationDate': PERIOD,
  'COVERAGE_TOO_LONG certificate.expirationDate': PERIOD,
};

/** A finding about an amended record points to the sent member, or to the record if the body has no such member. */
export function pointed(
  finding: string,
  { changes }: AmendmentBody,
  amended: AmendedVehicles,
): string {
  const [code = '', field = '', ...rest] = finding.split(' ');
  const causes =
    code === 'DUPLICATE_IDENTIFIER_IN_PAYLOAD'
      ? [field, firstWith(field, amended)]
      : (CAUSES[`${code} ${field}`] ?? [field]);
  const [sent] = causes.flatMap((path) => sentAt(path, changes, amended) ?? []);
  return [code, sent ?? field, ...rest].join(' ');
}

/** The path of the same identifier at the first vehicle that has it. */
function firstWith(field: string, { vehicles }: AmendedVehicles): string {
  const [, index, kind] = /^vehicles\[(\d+)\]\.(\w+)$/.exec(field) ?? [];
  const idsOf = (at: number) =>
    vehicles[at]?.vehicle.ids as Readonly<Record<string, string | null>> | undefined;
  const value = idsOf(Number(index))?.[kind ?? ''];
  const first = vehicles.findIndex((_, at) => idsOf(at)?.[kind ?? ''] === value);
  return `vehicles[${first}].${kind}`;
}

export function sentAt(
  path: string,
  changes: AmendmentBody['changes'],
  { vehicles }: AmendedVehicles,
): string | undefined {
  const ofVehicle = /^vehicles\[(\d+)\]\.?(.*)$/.exec(path);
  if (ofVehicle !== null) {
    const sent = vehicles[Number(ofVehicle[1])]?.sent;
    const member = ofVehicle[2] ?? '';
    if (sent === undefined) return undefined;
    if (member === '') return sent.path;
    return sent.names?.includes(member) === false ? undefined : `${sent.path}.${member}`;
  }
  if (path === 'vehicles') {
    if ((changes.vehicles?.add ?? []).length > 0) return 'changes.vehicles.add';
    return (changes.vehicles?.remove ?? []).length > 0 ? 'changes.vehicles.remove' : undefined;
  }
  const named = path
    .split('.')
    .reduce<unknown>(
      (value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name],
      changes,
    );
  return named === undefined ? undefined : `changes.${path}`;
}
