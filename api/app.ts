import express, { type Express } from 'express';
import helmet from 'helmet';
import { AppError } from '../shared/contract/errors.ts';
import { API_BASE, ENDPOINTS } from '../shared/contract/machine/endpoints.ts';
import { makeConsoleRouter } from './console/console-router.ts';
import type { ApiContext } from './context.ts';
import { makeDocsRouter, makeFrontPage } from './docs/docs-router.ts';
import { makeBeginRequest } from './http/begin-request.ts';
import { refuseManyHeaders } from './http/header-limits.ts';
import { mountLiveness } from './http/health.ts';
import { refuseParameters } from './http/refuse-parameters.ts';
import { respondToError } from './http/respond.ts';
import { replaceUndecodableNames } from './http/undecodable-names.ts';
import type { Handlers } from './machine/request.ts';
import { mountEndpoints } from './machine/route.ts';
import { makeStaffRouter } from './staff/router.ts';

/** No upgrade to HTTPS: a proxy in front of the service terminates TLS, and plain HTTP must also work. */
const CONTENT_POLICY = { upgradeInsecureRequests: null };

/** The whole HTTP application, in the order in which a request passes through it. Paths are case-sensitive, and a trailing slash matters. */
export function makeApp(context: ApiContext, handlers: Handlers): Express {
  const app = express();
  app.disable('x-powered-by');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.set('query parser', false);
  app.set('trust proxy', [...context.config.trustedProxies]);

  app.use(makeBeginRequest(context));
  app.use(helmet({ contentSecurityPolicy: { directives: CONTENT_POLICY } }));
  app.use(refuseManyHeaders);
  app.use(replaceUndecodableNames);
  mountLiveness(app);
  app.use(makeFrontPage());
  app.use(API_BASE, makeMachineApi(context, handlers));
  app.use(makeConsoleRouter(context.consoleFolder, context.config));
  app.use(makeStaffRouter(context));
  app.use(refuseUnknown);
  app.use(respondToError);
  return app;
}

function makeMachineApi(context: ApiContext, handlers: Handlers): express.Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  // Documents and pages answer HEAD like GET.
  for (const { authentication, path } of Object.values(ENDPOINTS)) {
    if (authentication === 'public') router.get(path, refuseParameters);
  }
  router.use(makeDocsRouter());
  // Express would answer HEAD and OPTIONS itself, without the envelope (D25).
  router.use((request, response, next) => {
    if (request.method === 'GET' || request.method === 'POST') next();
    else refuseUnknown(request, response);
  });
  mountEndpoints(router, context, handlers);
  return router;
}

function refuseUnknown(request: express.Request, _response: express.Response): never {
  throw new AppError('NOT_FOUND', `no route for this ${request.method}`);
}
