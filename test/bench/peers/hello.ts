import express, { type Express } from 'express';

/** A bare Express that says hello: what a request costs before anything is done. */
export async function makeHelloApp(): Promise<Express> {
  const app = express();
  app.get('/hello', (_request, response) => {
    response.json({ hello: 'world' });
  });
  return app;
}
