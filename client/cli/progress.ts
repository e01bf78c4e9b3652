import { SingleBar } from 'cli-progress';

export interface Progress {
  /** `label` says what is being done, a few words. */
  advance(label?: string): void;
  stop(): void;
}

const PLAIN_LINES = 10;

/** A bar on a terminal, else about ten lines, so that a log stays readable. */
export function makeProgress(total: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  return stream.isTTY ? makeBar(total, stream) : makePlainLines(total, stream);
}

function makeBar(total: number, stream: NodeJS.WriteStream): Progress {
  const bar = new SingleBar({
    stream,
    format: '{bar} {percentage}%  {value}/{total}  {rate}/s  {label}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: false,
  });
  const startedAtMs = Date.now();
  let done = 0;
  bar.start(total, 0, { label: '', rate: '0' });
  return {
    advance(label = '') {
      done += 1;
      bar.update(done, { label, rate: rateOf(done, startedAtMs) });
    },
    stop: () => bar.stop(),
  };
}

function makePlainLines(total: number, stream: NodeJS.WriteStream): Progress {
  const step = Math.max(1, Math.ceil(total / PLAIN_LINES));
  const startedAtMs = Date.now();
  let done = 0;
  return {
    advance() {
      done += 1;
      if (done % step !== 0 && done !== total) return;
      stream.write(`  ${done}/${total}  ${rateOf(done, startedAtMs)}/s\n`);
    },
    stop: () => undefined,
  };
}

function rateOf(done: number, startedAtMs: number): string {
  const seconds = Math.max(0.001, (Date.now() - startedAtMs) / 1_000);
  return (done / seconds).toFixed(done / seconds < 10 ? 1 : 0);
}
