import express, { type Express } from 'express';
import helmet from 'helmet';
import { AppError } from '../shared/contract/errors.ts';
import { API_BASE, ENDPOINTS } from '../shared/contract/machine/endpoints.ts';
import type { ApiContext } from './context.ts';
import { makeDocsRouter, makeFrontPage } from './docs/docs-router.ts';
import { makeBeginRequest } from './http/begin-request.ts';
import { refuseManyHeaders } from './http/header-limits.ts';
import { mountLiveness } from './http/health.ts';
import { refuseParameters } from './http/refuse-parameters.ts';
import { respondToError } from './http/respond.ts';
import { replaceUndecodableNames } from './http/undecodable-names.ts';
import { type Handlers, mountEndpoints } from './machine/route.ts';
import { makeStaffRouter } from './staff/router.ts';

/** Who asks over plain HTTP is answered over it: whether there is TLS is decided in front of the service. */
const CONTENT_POLICY = { upgradeInsecureRequests: null };

/** The whole HTTP side in the order a request meets it. Paths are taken literally: case and a trailing slash count. */
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
  app.use(makeStaffRouter(context));
  app.use(refuseUnknown);
  app.use(respondToError);
  return app;
}

function makeMachineApi(context: ApiContext, handlers: Handlers): express.Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  // Of documents and pages HEAD is answered as GET is.
  for (const { authentication, path } of Object.values(ENDPOINTS)) {
    if (authentication === 'public') router.get(path, refuseParameters);
  }
  router.use(makeDocsRouter());
  // Express would answer HEAD and OPTIONS by itself, outside the envelope (D25).
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
