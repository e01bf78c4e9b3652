import type { AmendmentBody } from '../../../shared/contract/amendment.ts';
import type { AmendedVehicles } from './changes.ts';

/** What may be the cause of a finding beside the member that it is about, the likeliest first. */
const CAUSES: Readonly<Record<string, readonly string[]>> = {
  NOT_AUTHORIZED_TO_TRANSMIT: ['policy.issuanceDate', 'issuingInsurerCode'],
  POOL_MEMBERSHIP_NOT_FOUND: ['poolCode', 'policy.issuanceDate'],
};

/** A finding of an amended record points at what was sent; where nothing of it was, at the record. */
export function pointed(
  finding: string,
  { changes }: AmendmentBody,
  amended: AmendedVehicles,
): string {
  const [code = '', field = '', ...rest] = finding.split(' ');
  const [sent] = (CAUSES[code] ?? [field]).flatMap((path) => sentAt(path, changes, amended) ?? []);
  return [code, sent ?? field, ...rest].join(' ');
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
  const named = path
    .split('.')
    .reduce<unknown>(
      (value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name],
      changes,
    );
  return named === undefined ? undefined : `changes.${path}`;
}
