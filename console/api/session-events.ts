/** A request that counts as activity was answered: the session goes on for another 15 minutes. */
export const ACTIVITY = 'activity';
/** A request was refused because the session is over, or its time is up. The session is then read to be sure. */
export const SESSION_OVER = 'session-over';

/** What requests learn about the session. */
export const sessionEvents = new EventTarget();
