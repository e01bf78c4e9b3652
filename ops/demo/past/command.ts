import { randomUUID } from 'node:crypto';
import type { By } from '../../../shared/store/staff/audit.ts';
import type { WorkerContext } from '../../../worker/context.ts';

/** The demonstration as the actor of what staff would do. */
export function commandOf({ clock, keyring }: Pick<WorkerContext, 'clock' | 'keyring'>): By {
  return {
    actor: { kind: 'COMMAND', id: null, email: 'demonstration data', role: null },
    address: null,
    requestId: `demo-${randomUUID()}`,
    at: clock.now(),
    keys: keyring,
  };
}
