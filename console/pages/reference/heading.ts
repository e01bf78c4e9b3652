// The check of a reference file's heading in the browser, before the file is sent. The registry checks it again.

/** Enough for the heading and what may stand before it. */
const HEADING_BYTES_MAX = 4_096;

/** The first line of the file that is not empty, without reading the rest. @throws {TypeError} when it is not UTF-8 */
export async function readFirstLine(file: Blob): Promise<string> {
  const bytes = await file.slice(0, HEADING_BYTES_MAX).arrayBuffer();
  // A character may be cut at the end, so the text goes on as far as the decoder is concerned.
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  return text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
}

/** What is wrong with the heading, a sentence each; nothing when it names each column once, in any order. */
export function checkHeading(line: string, columns: readonly string[]): string[] {
  if (line === '') return ['The file is empty.'];
  if (!line.includes(',') && line.includes(';'))
    return ['The columns are separated by semicolons. Save the file with commas.'];
  const names = line.split(',').map(nameOf);
  const missing = columns.filter((column) => !names.includes(column));
  if (missing.length === columns.length)
    return [`The first line must name the columns ${columns.join(', ')}.`];
  const unknown = names.filter((name) => !columns.includes(name));
  const repeated = columns.filter((column) => names.filter((name) => name === column).length > 1);
  return [
    ...missing.map((column) => `The column ${column} is missing.`),
    ...unknown.map((name) =>
      name === '' ? 'A column has no name.' : `The column ${name} is not known.`,
    ),
    ...repeated.map((column) => `The column ${column} is there more than once.`),
  ];
}

/** A cell without its outer spaces and quotes. No column has a comma or a quote in its name. */
function nameOf(cell: string): string {
  return cell
    .normalize('NFKC')
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();
}
