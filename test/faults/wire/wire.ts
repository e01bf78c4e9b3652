/** One message of a client, and what it asks for in words, such as a statement; undefined when it asks for nothing. */
export interface ClientMessage {
  readonly bytes: Buffer;
  readonly asks: string | undefined;
  /** It is the first of its transaction, or in none: what was said before has nothing to do with it. */
  readonly begins: boolean;
}

/** Understands the protocol of one connection, as far as it must to stop it at a known place. */
export interface Wire {
  /** Splits what the client sends into whole messages. */
  readClient(data: Buffer): ClientMessage[];
  /** Takes what the server sends; true when with that everything asked so far is answered. */
  readServer(data: Buffer): boolean;
}
