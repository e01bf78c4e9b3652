import type { EndedSessions } from '../../shared/contract/staff/auth.ts';
import type { USER_ENDPOINTS, UserWithPassword } from '../../shared/contract/staff/users.ts';
import { hashPassword, makePassword } from '../../shared/platform/secrets/passwords.ts';
import * as store from '../../shared/store/staff/users.ts';
import { actAsStaff } from './act.ts';
import { created, type HandlersOf, ok } from './route.ts';

export const USER_HANDLERS: HandlersOf<typeof USER_ENDPOINTS> = {
  async listUsers({ db, clock }, { query }) {
    return ok(await store.listUsers(db, query, clock.now()));
  },

  async createUser(context, request) {
    const { email, role } = request.body;
    const initialPassword = makePassword();
    const password = { hash: await hashPassword(initialPassword), isInitial: true };
    const user = await actAsStaff(context, request, (tx, by) =>
      store.createUser(tx, { email, role, password }, by),
    );
    const data: UserWithPassword = { user, initialPassword };
    return created(data, `/admin/v1/users/${user.id}`);
  },

  async readUser({ db, clock }, { params }) {
    return ok(await store.requireUser(db, params.userId, clock.now()));
  },

  async changeUserRole(context, request) {
    const { params, body } = request;
    const user = await actAsStaff(context, request, (tx, by) =>
      store.changeUserRole(tx, params.userId, body.role, by),
    );
    return ok(user);
  },

  async disableUser(context, request) {
    const { userId } = request.params;
    const { reason } = request.body;
    const user = await actAsStaff(context, request, (tx, by) =>
      store.setUserStatus(tx, userId, 'DISABLED', { ...by, reason }),
    );
    return ok(user);
  },

  async enableUser(context, request) {
    const { userId } = request.params;
    const { reason } = request.body;
    const user = await actAsStaff(context, request, (tx, by) =>
      store.setUserStatus(tx, userId, 'ACTIVE', { ...by, reason }),
    );
    return ok(user);
  },

  async resetUserMfa(context, request) {
    const { userId } = request.params;
    const { reason } = request.body;
    const user = await actAsStaff(context, request, (tx, by) =>
      store.resetUserMfa(tx, userId, { ...by, reason }),
    );
    return ok(user);
  },

  async resetUserPassword(context, request) {
    const { userId } = request.params;
    const { reason } = request.body;
    const initialPassword = makePassword();
    const password = { hash: await hashPassword(initialPassword), isInitial: true };
    const user = await actAsStaff(context, request, (tx, by) =>
      store.resetUserPassword(tx, userId, password, { ...by, reason }),
    );
    return ok({ user, initialPassword } satisfies UserWithPassword);
  },

  async endUserSessions(context, request) {
    const { userId } = request.params;
    const { reason } = request.body;
    const ended = await actAsStaff(context, request, (tx, by) =>
      store.endUserSessions(tx, userId, { ...by, reason }),
    );
    return ok({ ended } satisfies EndedSessions);
  },
};
