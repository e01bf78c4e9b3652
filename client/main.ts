#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { runCli } from './cli.ts';

const interruption = new AbortController();
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
for (const signal of SIGNALS) process.on(signal, interrupt);
// Who read the output has ended, as `head` does.
for (const stream of [process.stdout, process.stderr]) stream.on('error', interrupt);

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  console: {
    data: (text) => process.stdout.write(`${text}\n`),
    message: (text) => process.stderr.write(`${text}\n`),
  },
  readInput: () => readFileSync(0),
  signal: interruption.signal,
});

/** A second signal, whichever it is, ends the program at once. */
function interrupt(): void {
  for (const signal of SIGNALS) process.off(signal, interrupt);
  interruption.abort();
}
