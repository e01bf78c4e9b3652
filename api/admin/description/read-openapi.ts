import { makeAdminOpenApi } from '../../../shared/contract/admin-openapi.ts';
import { BareJson } from '../../edge/admin-route.ts';

let document: BareJson | undefined;

/** Computed at the first call: most processes are never asked. */
export async function readAdminOpenApi(): Promise<BareJson> {
  document ??= new BareJson(JSON.stringify(makeAdminOpenApi()));
  return document;
}
