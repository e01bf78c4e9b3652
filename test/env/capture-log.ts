import { type Logger, makeLogger } from '../../shared/platform/logger.ts';

export interface CapturedLog {
  readonly logger: Logger;
  /** Each line as it was written, with its line feed. */
  readonly lines: string[];
}

/** A logger that keeps its lines in memory. */
export function captureLog(level: 'trace' | 'info' = 'trace'): CapturedLog {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { lines, logger: makeLogger({ level, name: 'test', destination }) };
}
