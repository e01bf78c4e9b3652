import type { DataOf } from '../../api/contract.ts';
import { countOf } from '../../words.ts';

export type ReferenceImport = DataOf<'readReferenceImport'>;
type ImportedRegion = ReferenceImport['regions'][number];

export const IMPORT_STATUS_WORDS: Record<ReferenceImport['status'], string> = {
  QUEUED: 'Waiting',
  RUNNING: 'Running',
  COMPLETED: 'Completed',
  PARTLY_COMPLETED: 'Partly completed',
  REFUSED: 'Refused',
  FAILED: 'Failed',
};

export function isInProgress({ status }: Pick<ReferenceImport, 'status'>): boolean {
  return status === 'QUEUED' || status === 'RUNNING';
}

type Counted = Pick<ReferenceImport, 'status' | 'errorCount' | 'regions'>;

/** What the import did, in a sentence or two. */
export function explainImport(one: Counted): string {
  const replaced = one.regions.filter(({ result }) => result === 'REPLACED').length;
  switch (one.status) {
    case 'QUEUED':
      return 'The import waits for a worker. Workers import one file after another.';
    case 'RUNNING':
      return 'A worker reads the file. No region changes before its last line is read.';
    case 'COMPLETED':
      return 'Every region of the file was replaced.';
    case 'PARTLY_COMPLETED':
      return `${replaced} of ${countOf(one.regions.length, 'region')} were replaced. A region with an error keeps its earlier vehicles.`;
    case 'REFUSED':
      return nobodysErrors(one) > 0
        ? `${nobodysLines(one)}, so none was replaced.`
        : 'Every region of the file has an error, so none was replaced.';
    case 'FAILED':
      return replaced === 0
        ? 'The registry failed, and no region was replaced. Upload the file again.'
        : `The registry failed after it had replaced ${countOf(replaced, 'region')}. Upload the file again.`;
    default:
      return one.status satisfies never;
  }
}

/** Why a region of the file was replaced or not. */
export function explainRegion(
  { result, rows, errors, vehiclesBefore }: ImportedRegion,
  one: Counted,
): string {
  if (result === 'REPLACED')
    return `${countOf(rows, 'vehicle')} in place of ${vehiclesBefore.toLocaleString('en')}.`;
  const own = errors === 0 ? undefined : `Its lines have ${countOf(errors, 'error')}`;
  const others = nobodysErrors(one) === 0 ? undefined : nobodysLines(one);
  const kept =
    vehiclesBefore === 0
      ? 'It still has no vehicles.'
      : `It keeps its ${countOf(vehiclesBefore, 'vehicle')}.`;
  if (others === undefined) return `${own ?? 'It has errors'}. ${kept}`;
  if (own === undefined) return `${others}, so none was replaced. ${kept}`;
  return `${own}. ${others}, so none was replaced. ${kept}`;
}

/** The errors in lines that name no region. */
function nobodysErrors({ errorCount, regions }: Counted): number {
  return errorCount - regions.reduce((sum, { errors }) => sum + errors, 0);
}

/** A line may have several errors, and only errors are counted. */
function nobodysLines(one: Counted): string {
  const errors = nobodysErrors(one);
  return errors === 1
    ? 'One line names no region'
    : `Lines that name no region have ${countOf(errors, 'error')}`;
}

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const;
const STEP = 1_024;

/** A number of bytes as people say it: 8.4 MB. */
export function sizeInWords(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  const digits = unit > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}
