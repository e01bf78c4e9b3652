import type { TestApi } from '../../env/api/api-env.ts';
import type { AbuseTarget } from '../../faults/abuse/target.ts';

export function abuseTargetOf({ baseUrl, api, client, tokenOf }: TestApi): AbuseTarget {
  return { baseUrl, db: api.context.db, client, tokenOf };
}
