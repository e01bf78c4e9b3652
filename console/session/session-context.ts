import { createContext, useContext } from 'react';
import type { Permission } from '../../shared/contract/staff.ts';
import type { DataOf } from '../api/contract.ts';

export type Session = DataOf<'readSession'>;

export interface SignedInContext {
  readonly session: Session;
  /** Replaces what is known of the session after it changed. */
  update(session: Session): void;
  /** Ends the session at the registry and forgets everything in this browser. */
  signOut(): Promise<void>;
}

export const SessionContext = createContext<SignedInContext | undefined>(undefined);

/** The session of the user, inside the signed-in part of the console. */
export function useSession(): SignedInContext {
  const context = useContext(SessionContext);
  if (context === undefined) throw new Error('there is no session here');
  return context;
}

/** Whether the role of the user permits something. What it does not permit is not shown. */
export function useMay(permission: Permission): boolean {
  return useSession().session.permissions.includes(permission);
}
