import type { DataOf } from '../../api/contract.ts';

export type User = DataOf<'readUser'>;

/** The reads that show a user, and are read again after a change. */
export const USER_SHOWN_BY = ['readUser', 'listUsers', 'listAudit'] as const;
