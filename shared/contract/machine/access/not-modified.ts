import type { Reply } from '../endpoints.ts';

export const NOT_MODIFIED_STATUS = 304;

/** An endpoint with this reply answers 200 with an ETag and honours If-None-Match (D39). */
export const NOT_MODIFIED: Reply = {
  description: 'Unchanged since the answer whose ETag you sent as If-None-Match. No body.',
};
