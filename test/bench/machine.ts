import { cpus, release, totalmem } from 'node:os';
import type { Servers } from './servers.ts';

/** What the figures depend on; nothing that names the machine. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGigabytes: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  readonly redis: string;
  readonly measuredOn: string;
}

export function describeMachine({ versions }: Pick<Servers, 'versions'>): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 1_024 ** 3),
    system: `${process.platform} ${release()} ${process.arch}`,
    node: process.versions.node,
    postgres: versions.postgres,
    redis: versions.redis,
    measuredOn: new Date().toISOString().slice(0, 10),
  };
}
