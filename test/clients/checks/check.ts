import type { DrivenClient } from '../driven-client.ts';

/** A check of a client. It throws when the client does something wrong. `folder` is for its files. */
export interface Check {
  /** A sentence about the client. */
  readonly name: string;
  readonly run: (client: DrivenClient, folder: string) => Promise<void>;
}
