import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Role } from '../../shared/contract/staff.ts';
import type { Tx } from '../../shared/db/prisma.ts';
import { hashPassword, makePassword } from '../../shared/platform/secrets/passwords.ts';
import type { By } from '../../shared/store/staff/audit.ts';
import type { AuditKeys } from '../../shared/store/staff/audit-seal.ts';
import { findStaffUserByEmail } from '../../shared/store/staff/sign-in/credentials.ts';
import {
  changeUserRole,
  createUser,
  resetUserMfa,
  resetUserPassword,
  setUserStatus,
} from '../../shared/store/staff/users.ts';
import { DEMO_STAFF } from '../demo/demonstration.ts';

export const DemoStaff = z.object({ email: z.string(), password: z.string(), role: Role });
export type DemoStaff = z.infer<typeof DemoStaff>;

/** Whether every demonstration user is in the database and in the file. The password may have changed since: that is up to the user. */
export async function hasAllStaff(tx: Tx, known: readonly DemoStaff[]): Promise<boolean> {
  const emails = DEMO_STAFF.map(({ email }) => email);
  if (!emails.every((email) => known.some((user) => user.email === email))) return false;
  return (await tx.staffUser.count({ where: { email: { in: emails } } })) === emails.length;
}

/**
 * Creates or resets the demonstration users: active, with new passwords and without a second factor, which the first sign-in enrolls.
 * The passwords are not initial passwords (D52): they work at once and do not expire after 72 hours.
 */
export async function seedStaff(tx: Tx, keys: AuditKeys): Promise<DemoStaff[]> {
  const by: By = {
    actor: { kind: 'COMMAND', id: null, email: 'demonstration data', role: null },
    address: null,
    requestId: `seed-${randomUUID()}`,
    at: new Date(),
    keys,
  };
  const staff = await Promise.all(
    DEMO_STAFF.map(async ({ email, role }) => {
      const password = makePassword();
      return {
        email,
        role,
        password,
        set: { hash: await hashPassword(password), isInitial: false },
      };
    }),
  );
  for (const { email, role, set } of staff) {
    const known = await findStaffUserByEmail(tx, email);
    if (known === undefined) await createUser(tx, { email, role, password: set }, by);
    else {
      await setUserStatus(tx, known.id, 'ACTIVE', by);
      await changeUserRole(tx, known.id, role, by);
      await resetUserMfa(tx, known.id, by);
      await resetUserPassword(tx, known.id, set, by);
    }
  }
  return staff.map(({ email, password, role }) => ({ email, password, role }));
}
