import { countOf } from '../../../words.ts';
import { type ReferenceImport, sizeInWords } from '../import-words.ts';

/** How much of the file is read. */
export function ImportProgress({ one }: { one: ReferenceImport }) {
  const { bytesRead, fileBytes, rowsRead, errorCount, regions } = one;
  return (
    <div>
      <progress aria-label="Read of the file" value={bytesRead} max={fileBytes} />
      <p className="quiet figure">
        {sizeInWords(bytesRead)} of {sizeInWords(fileBytes)} and {countOf(rowsRead, 'line')} read,{' '}
        {countOf(errorCount, 'error')} so far.
        {regions.length === 0
          ? null
          : ` Replaced: ${regions.map(({ region }) => region).join(', ')}.`}
      </p>
    </div>
  );
}
