import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Response, Router } from 'express';
import { makeOpenApi } from '../../shared/contract/openapi/document.ts';
import { allowCompression, endWithBody } from '../http/compress.ts';
import { hasCallerSame } from '../http/entity-tag.ts';
import { writeErrorsPage } from './errors-page.ts';

const OWN_ASSETS = ['reference.css', 'reference.js', 'sign-request.js'] as const;
const SWAGGER_UI_ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

const own = fileURLToPath(new URL('./assets', import.meta.url));

/**
 * Serves `/openapi.json`, `/docs`, `/docs/errors` and the files that these pages load; they load none from another host. Mount it at
 * API_BASE, after helmet. Other paths fall through.
 */
export function makeDocsRouter(): Router {
  const require = createRequire(import.meta.url);
  const swaggerUi = dirname(require.resolve('swagger-ui-dist/package.json'));

  const router = Router({ strict: true });
  router.get('/openapi.json', async (_request, response) => {
    allowCompression(response);
    const description = readDescription();
    if (hasCallerSame(response, description)) {
      response.status(304).end();
      return;
    }
    response.type('application/json');
    await endWithBody(response, Buffer.from(description));
  });
  router.get('/docs', (_request, response) => sendAsset(response, own, 'reference.html'));
  router.get('/docs/errors', (_request, response) => {
    response.type('text/html').setHeader('Cache-Control', 'no-cache');
    response.send(writeErrorsPage());
  });
  for (const name of OWN_ASSETS) {
    router.get(`/docs/${name}`, (_request, response) => sendAsset(response, own, name));
  }
  for (const name of SWAGGER_UI_ASSETS) {
    router.get(`/docs/${name}`, (_request, response) => sendAsset(response, swaggerUi, name));
  }
  return router;
}

/** The page at the root of the service, with links to the documents. */
export function makeFrontPage(): Router {
  const router = Router({ strict: true });
  router.get('/', (_request, response) => sendAsset(response, own, 'index.html'));
  return router;
}

let description: string | undefined;

/** Computed at the first call, because most processes never need it. */
function readDescription(): string {
  description ??= JSON.stringify(makeOpenApi());
  return description;
}

/** Browsers revalidate the file each time, so that a new release shows at once; an unchanged file is answered with 304. */
function sendAsset(response: Response, root: string, name: string): void {
  response.sendFile(name, { root, headers: { 'Cache-Control': 'no-cache' }, dotfiles: 'allow' });
}
