import type { DataOf } from '../../../api/contract.ts';
import { FLAG_STATUS_WORDS, FLAG_TYPE_WORDS, inWords } from '../../../words.ts';

type RecordDetail = DataOf<'readRecord'>;

export interface RecordEvent {
  readonly key: string;
  readonly at: string;
  readonly what: string;
  /** Undefined where nobody did it. */
  readonly by?: string | undefined;
  readonly notes?: string | null;
  /** A page of the console that shows more. */
  readonly more: { readonly path: string; readonly text: string };
}

/** Everything that happened to a record, the newest first. */
export function makeRecordEvents(record: RecordDetail): RecordEvent[] {
  // What happened at the same moment keeps this order.
  const events = [
    ...record.flags.flatMap(flagEvents),
    ...rejectionEvents(record),
    ...cancellationEvents(record),
    ...versionEvents(record),
  ];
  return events.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

/** Whether record detail left out older parts of the history, which are on the other tabs. */
export function hasOlderEvents({ versions, currentVersion }: RecordDetail): boolean {
  return versions.length < currentVersion;
}

function versionEvents({ versions, amendments }: RecordDetail): RecordEvent[] {
  const newestFirst = versions.toSorted((one, other) => other.version - one.version);
  return newestFirst.map(({ version, createdAt, actor, transmissionReference }) => {
    const amendment = amendments.find(({ toVersion }) => toVersion === version);
    return {
      key: `version ${version}`,
      at: createdAt,
      what: version === 1 ? 'Registered' : `Amended: version ${version}`,
      by: amendment === undefined ? actor : `${amendment.organization.name} (${actor})`,
      notes: amendment?.reason ?? null,
      more: transmission(transmissionReference),
    };
  });
}

function cancellationEvents({ cancellation }: RecordDetail): RecordEvent[] {
  if (cancellation === null) return [];
  const { createdAt, cancellationEffectiveDate, organization, actor, reasonText } = cancellation;
  return [
    {
      key: 'cancellation',
      at: createdAt,
      what: `Cancelled as of ${cancellationEffectiveDate}`,
      by: `${organization.name} (${actor})`,
      notes: reasonText,
      more: transmission(cancellation.transmissionReference),
    },
  ];
}

function flagEvents(flag: RecordDetail['flags'][number]): RecordEvent[] {
  const words = `${FLAG_TYPE_WORDS[flag.type]}${flag.plateNumber === null ? '' : ` ${flag.plateNumber}`}`;
  const more = { path: `/flags/${flag.id}`, text: 'Flag' };
  const raised = {
    key: `raised ${flag.id}`,
    at: flag.createdAt,
    what: `Flag raised: ${words}`,
    notes: flag.message,
    more,
  };
  if (flag.reviewedAt === null) return [raised];
  const decided = {
    key: `decided ${flag.id}`,
    at: flag.reviewedAt,
    what: `${FLAG_STATUS_WORDS[flag.status]}: ${words}`,
    by: flag.reviewedBy ?? undefined,
    notes: flag.reviewNotes,
    more,
  };
  return [decided, raised];
}

/** The attempts that changed nothing. */
function rejectionEvents({ transmissions }: RecordDetail): RecordEvent[] {
  return transmissions
    .filter(({ status }) => status === 'REJECTED')
    .map(({ transmissionReference, kind, completedAt, receivedAt, ...transmitted }) => ({
      key: `rejected ${transmissionReference}`,
      at: completedAt ?? receivedAt,
      what: `Rejected: ${inWords(kind).toLowerCase()}, ${transmitted.errorCode ?? ''}`,
      by: `${transmitted.transmittingOrg.name} (${transmitted.actor})`,
      more: transmission(transmissionReference),
    }));
}

function transmission(reference: string): RecordEvent['more'] {
  return { path: `/transmissions/${reference}`, text: reference };
}
