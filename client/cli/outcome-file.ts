import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { SubmissionOutcome } from '../registry-client.ts';
import { endOf, type Tally } from '../transmit-all.ts';

/** A new attempt would change nothing; `failed` and `inProgress` are tried again. */
const SETTLED_ENDS = [
  'accepted',
  'flagged',
  'rejected',
] as const satisfies readonly (keyof Tally)[];
type SettledEnd = (typeof SETTLED_ENDS)[number];

/** What is read of a line of the outcome file. */
const OutcomeLine = z.object({
  externalTransactionId: z.string(),
  end: z.string(),
});

export interface OutcomeFile {
  /** What earlier runs settled, by externalTransactionId: need not be sent again. */
  readonly settled: ReadonlyMap<string, SettledEnd>;
  append(externalTransactionId: string, outcome: SubmissionOutcome): Promise<void>;
  close(): Promise<void>;
}

/** Opens or continues the file. What an interrupted run left half written is ignored. */
export async function openOutcomeFile(file: string): Promise<OutcomeFile> {
  const settled = new Map<string, SettledEnd>();
  if (existsSync(file)) {
    for await (const line of createInterface({
      input: createReadStream(file),
      crlfDelay: Infinity,
    })) {
      const parsed = OutcomeLine.safeParse(parseJson(line));
      const end = SETTLED_ENDS.find((one) => one === parsed.data?.end);
      if (parsed.success && end !== undefined) settled.set(parsed.data.externalTransactionId, end);
    }
  }
  const handle = await open(file, 'a+');
  await endLastLine(handle);
  return {
    settled,
    append: async (externalTransactionId, outcome) => {
      await handle.appendFile(`${JSON.stringify(lineOf(externalTransactionId, outcome))}\n`);
    },
    close: () => handle.close(),
  };
}

function lineOf(externalTransactionId: string, outcome: SubmissionOutcome) {
  const { data, error, status } = outcome;
  return {
    externalTransactionId,
    end: endOf(outcome),
    status: data?.status ?? null,
    http: status,
    transmissionReference: data?.transmissionReference ?? null,
    registryReference: data !== null && 'registryReference' in data ? data.registryReference : null,
    errorCode: error?.code ?? null,
    details: error?.details ?? [],
    at: new Date().toISOString(),
  };
}

async function endLastLine(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  if (size === 0) return;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer.toString() !== '\n') await handle.appendFile('\n');
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
