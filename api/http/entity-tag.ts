import { createHash } from 'node:crypto';
import type { Response } from 'express';

/**
 * Sets the ETag of an answer with this content, and returns whether the caller has it already, by If-None-Match (RFC 9110,
 * 13.1.2; D39). Not by Express' `fresh`, which ignores If-None-Match beside the `Cache-Control: no-cache` that `fetch` adds.
 */
export function hasCallerSame(response: Response, content: string): boolean {
  const tag = entityTagOf(content);
  response.setHeader('ETag', tag);
  const sent = (response.req.get('If-None-Match') ?? '').split(',').map((one) => one.trim());
  return sent.some((one) => one === '*' || one === tag || `W/${one}` === tag);
}

/** Weak, because the bytes of the answer depend on its compression (RFC 9110, 8.8.1). */
function entityTagOf(content: string): string {
  return `W/"${createHash('sha256').update(content).digest('hex')}"`;
}
