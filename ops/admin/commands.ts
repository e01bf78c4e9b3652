import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { AppError, ERRORS } from '../../shared/contract/errors.ts';
import { Email, INITIAL_PASSWORD_HOURS, ROLES, type Role } from '../../shared/contract/staff.ts';
import type { Db, Tx } from '../../shared/db/prisma.ts';
import { hashPassword, makePassword } from '../../shared/platform/secrets/passwords.ts';
import { makeKeyring } from '../../shared/platform/secrets/sealing.ts';
import type { ServiceKeys } from '../../shared/store/keys/key-checks.ts';
import { renewFeedEpoch } from '../../shared/store/registry/feed/renew-epoch.ts';
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

export interface AdminContext {
  readonly db: () => Db;
  /** Throws when the environment has none. */
  readonly keys: () => ServiceKeys;
  /** Called before each command. Rejects when the database cannot be used. */
  readonly checkDatabase: () => Promise<void>;
  /** The caller of the command, for the audit log. */
  readonly by: () => By;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

export const EXIT_DONE = 0;
export const EXIT_REFUSED = 1;
export const EXIT_USAGE = 2;
/** The chain of entries is valid, but without a seal it may have been rewritten. */
const EXIT_NOT_SEALED = 3;

/** Runs a command and returns the exit code. `args` does not include the names of node and the script. */
export async function runAdmin(args: readonly string[], context: AdminContext): Promise<number> {
  try {
    return await runParsed(args, context);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_DONE : EXIT_USAGE;
    if (!(error instanceof AppError)) throw error;
    context.printError(error.extras.message ?? ERRORS[error.code].title);
    return EXIT_REFUSED;
  }
}

async function runParsed(args: readonly string[], context: AdminContext): Promise<number> {
  const { db, checkDatabase, by, print, printError } = context;
  let exitCode = EXIT_DONE;
  const program = new Command('admin')
    .description("Manages the regulator's staff, verifies the audit log and reseals stored data.")
    .exitOverride()
    .hook('preAction', checkDatabase)
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => printError(text.trimEnd()),
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
      print(`${user.email} is ${user.role}. Password: ${password}`);
      print(INITIAL_PASSWORD_HINT);
      print('The first sign-in enrolls a second factor.');
    });

  program
    .command('list-users')
    .description('lists all users, newest first')
    .action(async () => {
      for await (const user of allUsers(db())) {
        const { email, role, status, mfaEnrolled, lockedUntil } = user;
        const lock = lockedUntil === null ? '' : `, locked until ${lockedUntil}`;
        print(
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
      print(`${email} is ${role}.`);
    });

  onUser('disable-user', "disables a user and ends the user's sessions").action(
    async (email: string) => {
      await change(email, (tx, userId) => setUserStatus(tx, userId, 'DISABLED', by()));
      print(`${email} is disabled.`);
    },
  );

  onUser('enable-user', 'enables a user again').action(async (email: string) => {
    await change(email, (tx, userId) => setUserStatus(tx, userId, 'ACTIVE', by()));
    print(`${email} is enabled.`);
  });

  onUser('reset-mfa', 'lets a user enroll a new second factor').action(async (email: string) => {
    await change(email, (tx, userId) => resetUserMfa(tx, userId, by()));
    print(`${email} enrolls a second factor at the next sign-in.`);
  });

  onUser('reset-password', 'unlocks a user and prints a new password').action(
    async (email: string) => {
      const password = makePassword();
      const set = { hash: await hashPassword(password), isInitial: true };
      await change(email, (tx, userId) => resetUserPassword(tx, userId, set, by()));
      print(INITIAL_PASSWORD_HINT);
      print(`New password of ${email}: ${password}`);
    },
  );

  program
    .command('verify-audit')
    .description('verifies the chain of the audit log and names the first broken entry')
    .option('--expect <head>', 'a head that an earlier run printed', parseHead)
    .action(async ({ expect }: { expect?: AuditHead }) => {
      const keyring = makeKeyring(context.keys().encryptionKeys);
      const report = await verifyAudit(db(), keyring, expect);
      if (report.isSound) {
        const { sequence, hash } = report.head;
        print(`The audit log is sound: ${sequence} entries. Head: ${sequence}:${hash}`);
        print(
          'Store the head in another place: with --expect, a later run detects whether the log was rewritten.',
        );
        if (report.isSealed) return;
        printError(NOT_SEALED);
        exitCode = EXIT_NOT_SEALED;
        return;
      }
      printError(`The audit log is broken at entry ${report.brokenAt}: ${report.reason}.`);
      exitCode = EXIT_REFUSED;
    });

  program
    .command('seal-audit')
    .description('verifies an audit log from an earlier release and seals its head')
    .option('--expect <head>', 'a head that an earlier run printed', parseHead)
    .action(async ({ expect }: { expect?: AuditHead }) => {
      const keyring = makeKeyring(context.keys().encryptionKeys);
      const report = await verifyAudit(db(), keyring, expect);
      if (!report.isSound) {
        printError(`The audit log is broken at entry ${report.brokenAt}: ${report.reason}.`);
        exitCode = EXIT_REFUSED;
        return;
      }
      const { sequence, hash } = await sealAudit(db(), keyring);
      print(`The audit log is sealed: ${sequence} entries. Head: ${sequence}:${hash}`);
    });

  program
    .command('reseal')
    .description(
      'reseals all values with the newest key, and prints which older keys are no longer needed',
    )
    .action(async () => {
      if (!(await reseal(context))) exitCode = EXIT_REFUSED;
    });

  program
    .command('renew-feed-epoch')
    .description('makes all cursors of the change feed unknown, after the database was restored')
    .action(async () => {
      await renewFeedEpoch(db());
      print('Readers of the change feed start from the beginning.');
    });

  await program.parseAsync(args, { from: 'user' });
  return exitCode;
}

const NOT_SEALED =
  'Its head has no seal, so anyone with write access to the database may have rewritten it. After an upgrade from a release without seals, run "seal-audit" once when every process runs this release. At any other time, find out who removed the seal.';

const INITIAL_PASSWORD_HINT = `The password is valid for ${INITIAL_PASSWORD_HOURS} hours and only for choosing a new one.`;

async function* allUsers(db: Db) {
  let cursor: string | undefined;
  do {
    const page = await listUsers(db, { cursor, limit: USERS_PER_PAGE }, new Date());
    yield* page.items;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

const USERS_PER_PAGE = 200;

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
