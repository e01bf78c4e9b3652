import { createHash, randomUUID } from 'node:crypto';
import express, { type Express } from 'express';
import { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { type Db, openDb } from '../../../shared/db/prisma.ts';
import { readSubmission } from '../../../shared/domain/registration/submission.ts';
import type { ServiceConfig } from '../../../shared/platform/config/config.ts';
import { makeKeyring } from '../../../shared/platform/secrets/sealing.ts';
import { registerInOneRequest } from './register-in-one-request.ts';
import { registerNested, registerUnguarded } from './register-with-prisma.ts';

/** A registration that a synchronous endpoint carries out. */
export interface Registration {
  readonly organizationId: string;
  readonly raw: unknown;
  readonly body: TransmissionBody;
  readonly submission: ReturnType<typeof readSubmission>;
  readonly requestHash: Buffer;
}

export type RegistrationAnswer = { readonly status: 'ACCEPTED' | 'FLAGGED' | 'REJECTED' };

const BODY_LIMIT = '1mb';

/**
 * What one would build without a queue: an endpoint that parses, checks and registers within the request.
 * `/nested` uses Prisma's nested creates, `/unguarded` too but without the one-cover rule, `/sql` the registry's own
 * statements. Neither signs, limits nor logs.
 */
export async function makeSynchronousApp(config: ServiceConfig): Promise<Express> {
  const db = openDb({
    databaseUrl: config.databaseUrl,
    poolMax: config.databasePoolMax,
    applicationName: 'bench-synchronous',
  });
  const keyring = makeKeyring(config.encryptionKeys);
  const organizationId = await idOfInsurer(db);
  const app = express();
  app.use(express.json({ limit: BODY_LIMIT }));
  const mount = (
    path: string,
    register: (registration: Registration) => Promise<RegistrationAnswer>,
  ): void => {
    app.post(path, async (request, response) => {
      const body = TransmissionBody.parse(request.body);
      const answer = await register({
        organizationId,
        raw: request.body,
        body,
        submission: readSubmission(body),
        requestHash: createHash('sha256').update(randomUUID()).digest(),
      });
      response
        .status(answer.status === 'REJECTED' ? 422 : 201)
        .json({ success: true, data: answer });
    });
  };
  mount('/nested', (registration) => registerNested(db, registration));
  mount('/unguarded', (registration) => registerUnguarded(db, registration));
  mount('/sql', (registration) => registerInOneRequest(db, keyring, config, registration));
  return app;
}

async function idOfInsurer(db: Db): Promise<string> {
  const { id } = await db.organization.findUniqueOrThrow({ where: { code: 'INS-ALPHA' } });
  return id;
}
