import { type Servers, startServers } from './servers.ts';
import { makeWorld, type World, type WorldOptions } from './world.ts';

export interface WithWorldOptions extends Omit<WorldOptions, 'servers'> {
  /** What there is to say when the process is told to end before. */
  readonly onBreak: (world: World) => void;
}

/** As a shell reports it. */
const INTERRUPTED = 130;

/** Runs with servers and processes of its own, which end with it, and when this process is told to end. */
export async function withWorld<Result>(
  { onBreak, ...options }: WithWorldOptions,
  run: (world: World) => Promise<Result>,
): Promise<Result> {
  const { tracksPlanning = false } = options;
  const servers = await startServers({ tracksPlanning });
  const world = makeWorld({ ...options, servers });
  const stopOnSignal = (): void => {
    onBreak(world);
    void stopAndExit(world, servers);
  };
  process.once('SIGINT', stopOnSignal);
  process.once('SIGTERM', stopOnSignal);
  try {
    return await run(world);
  } finally {
    process.off('SIGINT', stopOnSignal);
    process.off('SIGTERM', stopOnSignal);
    await world.stop();
    await servers.stop();
  }
}

/** The servers run on their own and would stay. */
async function stopAndExit(world: World, servers: Servers): Promise<never> {
  // What was being measured loses its connections.
  process.on('uncaughtException', () => undefined);
  try {
    await world.stop();
    await servers.stop();
  } finally {
    process.exit(INTERRUPTED);
  }
}
