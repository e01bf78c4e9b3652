import { type Request, Router } from 'express';
import { AppError } from '../../shared/contract/errors.ts';
import { DESCRIPTION_ENDPOINTS } from '../../shared/contract/staff/description.ts';
import { answerPreflight, setCorsHeaders } from '../auth/staff/origin.ts';
import type { ApiContext } from '../context.ts';
import { mountStaffEndpoints } from './route.ts';
import { STAFF_HANDLERS } from './table.ts';

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** The staff realm, to be mounted at the root: everything under /auth and /admin. */
export function makeStaffRouter(context: ApiContext): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.use(['/auth', '/admin'], (request, response, next) => {
    setCorsHeaders(request, response, context.config.adminAllowedOrigins);
    if (answerPreflight(request, response)) return;
    // Express would answer HEAD and OPTIONS itself, without an envelope (D25).
    if (!METHODS.has(request.method) && !isDocument(request))
      throw new AppError('NOT_FOUND', `no route for this ${request.method}`);
    next();
  });
  mountStaffEndpoints(router, context, STAFF_HANDLERS);
  return router;
}

/** HEAD is answered like GET for the OpenAPI document alone. */
function isDocument({ method, originalUrl }: Request): boolean {
  const [path] = originalUrl.split('?');
  return method === 'HEAD' && path === DESCRIPTION_ENDPOINTS.readStaffOpenApi.path;
}
