/** A message of a client. `asks` is the statement or command in it; undefined when it has none. */
export interface ClientMessage {
  readonly bytes: Buffer;
  readonly asks: string | undefined;
  /** Whether it is the first message of its transaction, or in none, so that earlier traffic is unrelated. */
  readonly begins: boolean;
}

/** Parses the protocol of a connection, as far as is needed to stop it at a statement. */
export interface Wire {
  /** Splits what the client sends into whole messages. */
  readClient(data: Buffer): ClientMessage[];
  /** Reads data of the server. Returns true when all messages so far are answered. */
  readServer(data: Buffer): boolean;
}
