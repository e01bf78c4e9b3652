import { Link } from 'wouter';
import { type Column, Table } from '../../../ui/table.tsx';
import { Identifier } from '../../../ui/values/facts.tsx';
import { Tag } from '../../../ui/values/tag.tsx';
import { FLAG_TYPE_WORDS, inWords } from '../../../words.ts';
import {
  type Acknowledgment,
  type Finding,
  LEVEL_WORDS,
  type Transmission,
} from '../transmission-words.ts';
import { groupFindings, type PlacedFinding } from './findings.ts';
import { RecordLink } from './transmission-facts.tsx';

const SEVERITY_TONES = { ERROR: 'bad', WARNING: 'open', INFO: 'neutral' } as const;

const FINDING_COLUMNS: readonly Column<PlacedFinding>[] = [
  { title: 'About', cell: ({ vehicle }) => vehicle ?? 'Transmission' },
  { title: 'Severity', cell: ({ finding }) => <SeverityTag finding={finding} /> },
  { title: 'Code', cell: ({ finding }) => <Identifier>{finding.code}</Identifier> },
  { title: 'Field', cell: ({ finding }) => <Identifier>{finding.field}</Identifier> },
  {
    title: 'Message',
    cell: ({ finding: { message, registryReference } }) => (
      <div className="wide-cell">
        <bdi>{message}</bdi>{' '}
        {registryReference === undefined ? null : <RecordLink reference={registryReference} />}
      </div>
    ),
  },
];

/** What the registry found, by level and vehicle, and what it did about it. */
export function FindingsTab({ transmission: { acknowledgment } }: { transmission: Transmission }) {
  if (acknowledgment === null)
    return <p>The transmission is in progress. Its findings show when it is complete.</p>;
  const levels = groupFindings([...acknowledgment.errors, ...acknowledgment.warnings]);
  return (
    <>
      {levels.length === 0 ? <p>Nothing was found.</p> : null}
      {levels.map(({ level, findings }) => (
        <section key={level}>
          <h2>
            Level {level}: {LEVEL_WORDS[level]}
          </h2>
          <Table
            label={`Findings of level ${level}`}
            columns={FINDING_COLUMNS}
            rows={findings}
            keyOf={({ finding }) => `${finding.code} ${finding.field} ${finding.message}`}
          />
        </section>
      ))}
      <Flags acknowledgment={acknowledgment} />
      <ReferenceMatches acknowledgment={acknowledgment} />
    </>
  );
}

function SeverityTag({ finding: { severity } }: { finding: Finding }) {
  return <Tag tone={SEVERITY_TONES[severity]}>{inWords(severity)}</Tag>;
}

const FLAG_COLUMNS: readonly Column<Acknowledgment['flags'][number]>[] = [
  { title: 'Flag', cell: ({ type }) => FLAG_TYPE_WORDS[type] },
  { title: 'Plate number', cell: ({ plateNumber }) => <Identifier>{plateNumber}</Identifier> },
  { title: 'Message', cell: ({ message }) => <bdi>{message}</bdi> },
  {
    title: 'Other record',
    cell: ({ relatedRegistryReference: reference }) =>
      reference === null ? <Identifier>{null}</Identifier> : <RecordLink reference={reference} />,
  },
];

function Flags({ acknowledgment: { flags, registryReference } }: FromAcknowledgment) {
  if (flags.length === 0) return null;
  return (
    <section>
      <h2>Flags</h2>
      <Table
        label="Flags"
        columns={FLAG_COLUMNS}
        rows={flags}
        keyOf={({ type, plateNumber, message }) => `${type} ${plateNumber} ${message}`}
      />
      {registryReference === null ? null : (
        <p className="cell-note">
          <Link href={`/flags?${new URLSearchParams({ registryReference })}`}>
            Flags of this record
          </Link>
        </p>
      )}
    </section>
  );
}

const MATCH_COLUMNS: readonly Column<Acknowledgment['referenceMatches'][number]>[] = [
  { title: 'Plate number', cell: ({ plateNumber }) => <Identifier>{plateNumber}</Identifier> },
  { title: 'Result', cell: ({ result }) => inWords(result) },
];

function ReferenceMatches({ acknowledgment: { referenceMatches } }: FromAcknowledgment) {
  if (referenceMatches.length === 0) return null;
  return (
    <section>
      <h2>Match with reference data</h2>
      <Table
        label="Match with reference data"
        columns={MATCH_COLUMNS}
        rows={referenceMatches}
        keyOf={({ plateNumber, result }) => `${plateNumber} ${result}`}
      />
    </section>
  );
}

interface FromAcknowledgment {
  readonly acknowledgment: Acknowledgment;
}
