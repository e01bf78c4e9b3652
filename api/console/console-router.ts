import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Request, type Response, Router } from 'express';
import { AppError } from '../../shared/contract/errors.ts';
import type { ServiceConfig } from '../../shared/platform/config/config.ts';
import { CONSOLE_CONTENT_POLICY } from './content-policy.ts';

type Environment = Pick<ServiceConfig, 'registryEnvironment' | 'registryTimeZone'>;

const ASSET = /^(?=.{1,100}$)[\w-]+(?:\.[\w-]+)*\.(?:js|css|svg)$/;
const ASSETS_MAX_AGE_MS = 365 * 86_400_000;
const NOT_BUILT =
  'The console is not built here. "npm run build" and "npm start" build it. Everything else of the registry works.\n';

/**
 * Serves the built console, to be mounted at the root: its assets, whose names change with their content, and for any other path
 * below /console the page, which finds out itself what the path means. Without a build the page is 503.
 */
export function makeConsoleRouter(folder: string, environment: Environment): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get(/^\/console\/assets\/(.*)$/, async (request, response) => {
    await sendAsset(request, response, folder);
  });
  router.get(['/console', '/console/', '/console/*path'], async (_request, response) => {
    await sendPage(response, folder, environment);
  });
  return router;
}

/** @throws {AppError} NOT_FOUND: a missing asset is never answered with the page, which a browser could not run. */
async function sendAsset(request: Request, response: Response, folder: string): Promise<void> {
  const name = request.params[0] ?? '';
  if (!ASSET.test(name)) throw new AppError('NOT_FOUND', 'no such asset of the console');
  const isBrotli = request.acceptsEncodings('br', 'identity') === 'br';
  response.vary('Accept-Encoding');
  response.type(name);
  setPolicy(response);
  if (isBrotli) response.setHeader('Content-Encoding', 'br');
  await new Promise<void>((resolve, reject) => {
    response.sendFile(
      isBrotli ? `${name}.br` : name,
      // The folder of `npm start` has a hidden parent.
      {
        root: join(folder, 'assets'),
        dotfiles: 'allow',
        maxAge: ASSETS_MAX_AGE_MS,
        immutable: true,
      },
      (error) => (error === undefined ? resolve() : reject(error)),
    );
  }).catch((error: unknown) => {
    // A caller that went away needs no answer.
    if (response.headersSent) return;
    response.removeHeader('Content-Encoding');
    throw new AppError('NOT_FOUND', 'no such asset of the console', { cause: error });
  });
}

async function sendPage(
  response: Response,
  folder: string,
  { registryTimeZone, registryEnvironment }: Environment,
): Promise<void> {
  setPolicy(response);
  response.setHeader('Cache-Control', 'no-cache');
  const page = await readPage(folder);
  if (page === undefined) {
    response.status(503).type('text/plain').send(NOT_BUILT);
    return;
  }
  response
    .type('text/html')
    .send(
      page
        .replace('%REGISTRY_TIME_ZONE%', registryTimeZone)
        .replace('%REGISTRY_ENVIRONMENT%', registryEnvironment),
    );
}

/** Undefined without a build. Read for each request, so that a build that comes later needs no new start. */
async function readPage(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, 'index.html'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function setPolicy(response: Response): void {
  response.setHeader('Content-Security-Policy', CONSOLE_CONTENT_POLICY);
}
