/** Options of a worker's `node`. The heap has several times the room that the largest certificates of a batch need. */
export const WORKER_NODE_OPTIONS: readonly string[] = ['--max-old-space-size=512'];
