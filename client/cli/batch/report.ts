import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileError, UsageError } from '../exit-codes.ts';
import type { SettledLine } from './journal/journal-lines.ts';
import { readJournal, readOutcomes } from './journal/read-journal.ts';
import { describeTotals, totalsOf } from './totals.ts';

const COLUMNS = [
  'line',
  'policy',
  'coc',
  'plate',
  'outcome',
  'registryReference',
  'error.code',
  'error.field',
  'error.message',
  'externalTransactionId',
  'transmissionReference',
  'at',
] as const;

/** Throws UsageError for another ending than .html or .csv. */
export function requireReportName(file: string): string {
  if (/\.(html|csv)$/i.test(file)) return file;
  throw new UsageError(`A report ends in .html or .csv: ${file}.`);
}

/** Writes the outcome of every certificate that the journal knows, with one of them in memory at a time. */
export async function writeReport(journalFile: string, report: string): Promise<void> {
  const lines = /\.html$/i.test(report) ? htmlOf(journalFile) : csvOf(journalFile);
  try {
    await pipeline(Readable.from(lines), createWriteStream(report));
  } catch (error) {
    throw new FileError(
      `${report} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

async function* csvOf(journalFile: string): AsyncGenerator<string> {
  // The mark makes spreadsheets read UTF-8.
  yield `\uFEFF${csvLine(COLUMNS)}`;
  for await (const line of readOutcomes(journalFile)) yield csvLine(cellsOf(line));
}

async function* htmlOf(journalFile: string): AsyncGenerator<string> {
  const state = await readJournal(journalFile);
  const { file = '', batch = '', baseUrl = '' } = state.header ?? {};
  yield `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Batch ${escapeHtml(batch)}</title>
<style>
body { font-family: system-ui, sans-serif; margin: 2rem; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid #ccc; padding: 0.25rem 0.5rem; text-align: left; vertical-align: top; }
.rejected, .failed { background: #fdecea; }
.inProgress { background: #fff8e1; }
</style>
<h1>${escapeHtml(file)}</h1>
<p>Batch ${escapeHtml(batch)}, sent to ${escapeHtml(baseUrl)}</p>
${describeTotals(totalsOf(state))
  .map((text) => `<p>${escapeHtml(text)}</p>`)
  .join('\n')}
<table>
<tr>${COLUMNS.map((name) => `<th>${name}</th>`).join('')}</tr>
`;
  for await (const line of readOutcomes(journalFile)) {
    const cells = cellsOf(line).map((cell) => `<td>${escapeHtml(cell)}</td>`);
    yield `<tr class="${line.end}">${cells.join('')}</tr>\n`;
  }
  yield '</table>\n</html>\n';
}

function cellsOf(line: SettledLine): string[] {
  const { policy, coc, plate, end, registryReference, transmissionReference, sentId, at } = line;
  const { code, field, message } = errorOf(line);
  return [
    String(line.line),
    policy ?? '',
    coc ?? '',
    plate ?? '',
    end,
    registryReference ?? '',
    code,
    field,
    message,
    sentId,
    transmissionReference ?? '',
    at,
  ];
}

/** The findings of a refusal, each part joined by "; ". Empty texts when nothing was refused. */
export function errorOf({ details, errorCode }: SettledLine) {
  const codes = details.map(({ code }) => code);
  return {
    code: codes.length > 0 ? codes.join('; ') : (errorCode ?? ''),
    field: details.some(({ field }) => field !== null)
      ? details.map(({ field }) => field ?? 'the certificate').join('; ')
      : '',
    message: details.flatMap(({ message = '' }) => (message === '' ? [] : [message])).join('; '),
  };
}

/** A cell that a spreadsheet would run as a formula begins with an apostrophe. */
function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => csvCell(/^[=+@\-\t\r]/.test(cell) ? `'${cell}` : cell, ',')).join(',')}\r\n`;
}

export function csvCell(text: string, delimiter: string): string {
  const isSpecial = text.includes(delimiter) || /["\r\n]/.test(text);
  return isSpecial ? `"${text.replaceAll('"', '""')}"` : text;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
