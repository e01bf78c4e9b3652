import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { AppError, ERRORS } from '../../shared/contract/errors.ts';
import { Email, INITIAL_PASSWORD_HOURS, ROLES, type Role } from '../../shared/contract/staff.ts';
import type { Db, Tx } from '../../shared/db/prisma.ts';
import { hashPassword, makePassword } from '../../shared/platform/secrets/passwords.ts';
import { makeKeyring } from '../../shared/platform/secrets/sealing.ts';
import type { ServiceKeys } from '../../shared/store/keys/key-checks.ts';
import type { By } from '../../shared/store/staff/audit.ts';
import { type AuditHead, sealAudit, verifyAudit } from '../../shared/store/staff/audit-chain.ts';
import { findStaffUserByEmail } from '../../shared/store/staff/sign-in/credentials.ts';
import {
  changeUserRole,
  createUser,
  listUsers,
  resetUserMfa,
  resetUserPassword,
  setUserStatus,
} from '../../shared/store/staff/users.ts';
import { reseal } from './reseal.ts';

export interface StaffSurroundings {
  readonly db: () => Db;
  /** Throws when the environment names none. */
  readonly keys: () => ServiceKeys;
  /** Before a command is carried out; rejects with what keeps the database from being used. */
  readonly checkDatabase: () => Promise<void>;
  /** Who runs the command, for the audit log. */
  readonly by: () => By;
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
}

export const EXIT_DONE = 0;
export const EXIT_REFUSED = 1;
export const EXIT_USAGE = 2;
/** Every entry continues the one before it, but nothing shows that no others stood there. */
const EXIT_NOT_SEALED = 3;

/** Runs one command line, without the names of node and the script, and returns the exit code. */
export async function runAdmin(
  args: readonly string[],
  surroundings: StaffSurroundings,
): Promise<number> {
  try {
    return await runParsed(args, surroundings);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_DONE : EXIT_USAGE;
    if (!(error instanceof AppError)) throw error;
    surroundings.complain(error.extras.message ?? ERRORS[error.code].title);
    return EXIT_REFUSED;
  }
}

async function runParsed(
  args: readonly string[],
  surroundings: StaffSurroundings,
): Promise<number> {
  const { db, checkDatabase, by, say, complain } = surroundings;
  let exitCode = EXIT_DONE;
  const program = new Command('admin')
    .description(
      "Manages the regulator's staff, checks the audit log and renews the seals of stored data.",
    )
    .exitOverride()
    .hook('preAction', checkDatabase)
    .configureOutput({
      writeOut: (text) => say(text.trimEnd()),
      writeErr: (text) => complain(text.trimEnd()),
    });

  program
    .command('create-user')
    .description('creates a user and prints the password, which is shown only here')
    .argument('<email>', 'address to sign in with', parseEmail)
    .addOption(new Option('--role <role>').choices(ROLES).makeOptionMandatory())
    .action(async (email: string, { role }: { role: Role }) => {
      const password = makePassword();
      const set = { hash: await hashPassword(password), isInitial: true };
      const user = await db().$transaction((tx) =>
        createUser(tx, { email, role, password: set }, by()),
      );
      say(`${user.email} is ${user.role}. Password: ${password}`);
      say(INITIAL_PASSWORD_HINT);
      say('The first sign-in enrolls a second factor.');
    });

  program
    .command('list-users')
    .description('lists all users, newest first')
    .action(async () => {
      for await (const user of allUsers(db())) {
        const { email, role, status, mfaEnrolled, lockedUntil } = user;
        const lock = lockedUntil === null ? '' : `, locked until ${lockedUntil}`;
        say(
          `${email}  ${role}  ${status}  ${mfaEnrolled ? 'second factor' : 'no second factor'}${lock}`,
        );
      }
    });

  const onUser = (name: string, description: string) =>
    program.command(name).description(description).argument('<email>');
  const change = async (email: string, act: (tx: Tx, userId: string) => Promise<unknown>) => {
    await db().$transaction(async (tx) => act(tx, await requireUserId(tx, email)));
  };

  onUser('change-role', "changes a user's role and ends the user's sessions")
    .addOption(new Option('--role <role>').choices(ROLES).makeOptionMandatory())
    .action(async (email: string, { role }: { role: Role }) => {
      await change(email, (tx, userId) => changeUserRole(tx, userId, role, by()));
      say(`${email} is ${role}.`);
    });

  onUser('disable-user', "disables a user and ends the user's sessions").action(
    async (email: string) => {
      await change(email, (tx, userId) => setUserStatus(tx, userId, 'DISABLED', by()));
      say(`${email} is disabled.`);
    },
  );

  onUser('enable-user', 'enables a user again').action(async (email: string) => {
    await change(email, (tx, userId) => setUserStatus(tx, userId, 'ACTIVE', by()));
    say(`${email} is enabled.`);
  });

  onUser('reset-mfa', 'lets a user enroll a new second factor').action(async (email: string) => {
    await change(email, (tx, userId) => resetUserMfa(tx, userId, by()));
    say(`${email} enrolls a second factor at the next sign-in.`);
  });

  onUser('reset-password', 'unlocks a user and prints a new password').action(
    async (email: string) => {
      const password = makePassword();
      const set = { hash: await hashPassword(password), isInitial: true };
      await change(email, (tx, userId) => resetUserPassword(tx, userId, set, by()));
      say(INITIAL_PASSWORD_HINT);
      say(`New password of ${email}: ${password}`);
    },
  );

  program
    .command('verify-audit')
    .description('verifies the chain of the audit log and names the first broken entry')
    .option('--expect <head>', 'a head that an earlier run printed', parseHead)
    .action(async ({ expect }: { expect?: AuditHead }) => {
      const keyring = makeKeyring(surroundings.keys().encryptionKeys);
      const report = await verifyAudit(db(), keyring, expect);
      if (report.isSound) {
        const { sequence, hash } = report.head;
        say(`The audit log is sound: ${sequence} entries. Head: ${sequence}:${hash}`);
        say(
          'Write the head down elsewhere: with --expect, a later run shows whether all was rewritten.',
        );
        if (report.isSealed) return;
        complain(NOT_SEALED);
        exitCode = EXIT_NOT_SEALED;
        return;
      }
      complain(`The audit log is broken at entry ${report.brokenAt}: ${report.reason}.`);
      exitCode = EXIT_REFUSED;
    });

  program
    .command('seal-audit')
    .description(
      'seals the head of an audit log that a release before this one has written, once it was verified',
    )
    .option('--expect <head>', 'a head that an earlier run printed', parseHead)
    .action(async ({ expect }: { expect?: AuditHead }) => {
      const keyring = makeKeyring(surroundings.keys().encryptionKeys);
      const report = await verifyAudit(db(), keyring, expect);
      if (!report.isSound) {
        complain(`The audit log is broken at entry ${report.brokenAt}: ${report.reason}.`);
        exitCode = EXIT_REFUSED;
        return;
      }
      const { sequence, hash } = await sealAudit(db(), keyring);
      say(`The audit log is sealed: ${sequence} entries. Head: ${sequence}:${hash}`);
    });

  program
    .command('reseal')
    .description(
      'seals everything again with the newest key, and says which older keys are needed no longer',
    )
    .action(async () => {
      if (!(await reseal(surroundings))) exitCode = EXIT_REFUSED;
    });

  await program.parseAsync(args, { from: 'user' });
  return exitCode;
}

const NOT_SEALED =
  'Its head carries no seal, so that who can write to the database may have rewritten it. After an upgrade from a release without seals, run "seal-audit" once when every process is of this release; at any other time find out who took the seal away.';

const INITIAL_PASSWORD_HINT = `The password is good for ${INITIAL_PASSWORD_HOURS} hours, and for nothing but choosing another one.`;

async function* allUsers(db: Db) {
  let cursor: string | undefined;
  do {
    const page = await listUsers(db, { cursor, limit: USERS_AT_ONCE }, new Date());
    yield* page.items;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

const USERS_AT_ONCE = 200;

async function requireUserId(tx: Tx, email: string): Promise<string> {
  const user = await findStaffUserByEmail(tx, email);
  if (user !== undefined) return user.id;
  throw new AppError('NOT_FOUND', 'no such user', { message: `No user has the address ${email}.` });
}

function parseEmail(text: string): string {
  const parsed = Email.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('Expected an e-mail address.');
}

function parseHead(text: string): AuditHead {
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (sequence !== undefined && hash !== undefined) return { sequence: Number(sequence), hash };
  throw new InvalidArgumentError('Expected <sequence>:<hash>.');
}
