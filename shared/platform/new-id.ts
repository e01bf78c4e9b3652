import { v7 } from 'uuid';

/**
 * The id of a new row: a UUID of version 7 (RFC 9562), which starts with the time in milliseconds. Rows that are created one after
 * another lie next to each other in an index over ids, so inserts change few pages. An id shows its time of creation and grants
 * no access.
 */
export function newId(): string {
  return v7();
}
