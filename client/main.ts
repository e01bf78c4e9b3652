#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { runCli } from './cli.ts';

const interruption = new AbortController();
// A second signal ends the program at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interruption.abort());

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  console: {
    data: (text) => process.stdout.write(`${text}\n`),
    message: (text) => process.stderr.write(`${text}\n`),
  },
  readInput: () => readFileSync(0),
  signal: interruption.signal,
});
