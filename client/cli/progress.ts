import { SingleBar } from 'cli-progress';

export interface Progress {
  /** `label` describes the last step in a few words. */
  advance(label?: string): void;
  stop(): void;
}

const PLAIN_LINES = 10;

/**
 * A bar if the stream is a terminal, otherwise about ten printed lines, so that a log stays readable. Both show an estimate of the
 * time left.
 */
export function makeProgress(
  total: number,
  stream: NodeJS.WriteStream,
  print: (line: string) => void,
): Progress {
  return stream.isTTY ? makeBar(total, stream) : makePlainLines(total, print);
}

function makeBar(total: number, stream: NodeJS.WriteStream): Progress {
  const bar = new SingleBar({
    stream,
    format: '{bar} {percentage}%  {value}/{total}  {rate}/s  {left} left  {label}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: false,
  });
  const startedAtMs = Date.now();
  let done = 0;
  bar.start(total, 0, { label: '', rate: '0', left: '?' });
  return {
    advance(label = '') {
      done += 1;
      const rate = rateOf(done, startedAtMs);
      bar.update(done, { label, rate: shownRate(rate), left: shownTime((total - done) / rate) });
    },
    stop: () => bar.stop(),
  };
}

function makePlainLines(total: number, print: (line: string) => void): Progress {
  const step = Math.max(1, Math.ceil(total / PLAIN_LINES));
  const startedAtMs = Date.now();
  let done = 0;
  return {
    advance() {
      done += 1;
      if (done % step !== 0 && done !== total) return;
      const rate = rateOf(done, startedAtMs);
      const left = shownTime((total - done) / rate);
      print(`  ${done}/${total}  ${shownRate(rate)}/s  ${left} left`);
    },
    stop: () => undefined,
  };
}

function rateOf(done: number, startedAtMs: number): number {
  return done / Math.max(0.001, (Date.now() - startedAtMs) / 1_000);
}

function shownRate(rate: number): string {
  return rate.toFixed(rate < 10 ? 1 : 0);
}

/** Hours and minutes, or minutes and seconds: 2h05m, 3m20s, 12s. */
export function shownTime(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)];
  const two = (value: number) => String(value).padStart(2, '0');
  if (hours > 0) return `${hours}h${two(minutes)}m`;
  return minutes > 0 ? `${minutes}m${two(whole % 60)}s` : `${whole}s`;
}
