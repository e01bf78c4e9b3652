import { makeStaffOpenApi } from '../../../shared/contract/openapi/staff-document.ts';
import { BareJson } from '../../staff/route.ts';

let document: BareJson | undefined;

/** Computed at the first call: most processes are never asked. */
export async function readStaffOpenApi(): Promise<BareJson> {
  document ??= new BareJson(JSON.stringify(makeStaffOpenApi()));
  return document;
}
