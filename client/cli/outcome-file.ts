import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { z } from 'zod';
import type { TransmissionBody } from '../../shared/contract/machine/transmission.ts';
import type { SubmissionOutcome } from '../registry-client.ts';
import { endOf, type Tally } from '../transmit-all.ts';
import { UsageError } from './exit-codes.ts';
import { readRawLines } from './read-text.ts';

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
  bodySha256: z.string().optional(),
});

export interface OutcomeFile {
  /** How an earlier run settled it, so that it need not be sent again; `changed` when what was sent then was another body. */
  findSettled(body: TransmissionBody): SettledEnd | 'changed' | undefined;
  append(body: TransmissionBody, outcome: SubmissionOutcome): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens or continues the file. What an interrupted run left half written is ignored. Throws UsageError when it cannot be read or
 * written.
 */
export async function openOutcomeFile(file: string): Promise<OutcomeFile> {
  try {
    const settled = existsSync(file) ? await readSettled(file) : new Map<string, Settled>();
    const handle = await open(file, 'a+');
    await endLastLine(handle);
    return makeOutcomeFile(handle, settled);
  } catch (error) {
    throw new UsageError(
      `${file} cannot be used for outcomes: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

interface Settled {
  readonly end: SettledEnd;
  /** Unknown in files of earlier releases. */
  readonly bodySha256: string | undefined;
}

async function readSettled(file: string): Promise<Map<string, Settled>> {
  const settled = new Map<string, Settled>();
  // Not decoded strictly: an interruption can cut a line within a character, and a power failure can leave zero bytes.
  for await (const line of readRawLines(file)) {
    const parsed = OutcomeLine.safeParse(parseJson(line.toString('utf8')));
    const end = SETTLED_ENDS.find((one) => one === parsed.data?.end);
    if (!parsed.success || end === undefined) continue;
    const { externalTransactionId, bodySha256 } = parsed.data;
    settled.set(externalTransactionId, { end, bodySha256 });
  }
  return settled;
}

function makeOutcomeFile(handle: FileHandle, settled: ReadonlyMap<string, Settled>): OutcomeFile {
  return {
    findSettled: (body) => {
      const earlier = settled.get(body.externalTransactionId);
      if (earlier === undefined) return undefined;
      const isSame = earlier.bodySha256 === undefined || earlier.bodySha256 === hashOf(body);
      return isSame ? earlier.end : 'changed';
    },
    append: async (body, outcome) => {
      await handle.appendFile(`${JSON.stringify(lineOf(body, outcome))}\n`);
    },
    close: () => handle.close(),
  };
}

/** Of the body as it stands in the file: only its own file is compared with it. */
function hashOf(body: TransmissionBody): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}

function lineOf(body: TransmissionBody, outcome: SubmissionOutcome) {
  const { data, error, status } = outcome;
  return {
    externalTransactionId: body.externalTransactionId,
    bodySha256: hashOf(body),
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
