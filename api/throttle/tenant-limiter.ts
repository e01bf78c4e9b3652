import pLimit, { type LimitFunction } from 'p-limit';

/** Requests of one tenant that run at the same time while other tenants send: enough to share the statements of loaders. */
export const TENANT_SLOTS = 8;
/** After two tenants overlap, keep limiting for this long. */
export const CONTENTION_WINDOW_MS = 2_000;
/** Work that takes longer gives its slot back and goes on, so that a hanging request does not block those behind it. */
export const SLOT_TIMEOUT_MS = 500;

/** A concurrency limit per tenant, so that a tenant that sends much delays only itself. */
export interface TenantLimiter {
  /** Runs `work` as soon as the tenant has a free slot, in the order of the calls. */
  run<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result>;
}

/** A lone tenant is unlimited, because a limit would shrink its batches. */
export function makeTenantLimiter(slotsPerTenant: number): TenantLimiter {
  /** Tenants that have work running in a slot, or waiting for one. */
  const limits = new Map<string, LimitFunction>();
  let contentionWindow: NodeJS.Timeout | undefined;

  return {
    run: async (tenantId, work) => {
      const releaseSlot = await takeSlot(tenantId);
      const timeout = setTimeout(releaseSlot, SLOT_TIMEOUT_MS);
      try {
        return await work();
      } finally {
        clearTimeout(timeout);
        releaseSlot();
      }
    },
  };

  async function takeSlot(tenantId: string): Promise<() => void> {
    const limit = limits.get(tenantId) ?? pLimit(currentLimit());
    limits.set(tenantId, limit);
    if (limits.size > 1) limitTenants();
    return new Promise((onTaken) => {
      const held = limit(() => new Promise<void>((releaseSlot) => onTaken(releaseSlot)));
      void held.then(() => forgetIfIdle(tenantId));
    });
  }

  function forgetIfIdle(tenantId: string): void {
    const limit = limits.get(tenantId);
    if (limit?.activeCount === 0 && limit.pendingCount === 0) limits.delete(tenantId);
  }

  function currentLimit(): number {
    return contentionWindow === undefined ? Number.POSITIVE_INFINITY : slotsPerTenant;
  }

  function limitTenants(): void {
    if (contentionWindow !== undefined) {
      contentionWindow.refresh();
      return;
    }
    contentionWindow = setTimeout(endContention, CONTENTION_WINDOW_MS);
    // The process may end before the window does.
    contentionWindow.unref();
    updateLimits();
  }

  function endContention(): void {
    contentionWindow = undefined;
    if (limits.size > 1) limitTenants();
    else updateLimits();
  }

  /** Waiting work that the new limit allows begins at once. */
  function updateLimits(): void {
    for (const limit of limits.values()) limit.concurrency = currentLimit();
  }
}
