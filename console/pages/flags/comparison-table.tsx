import { Link } from 'wouter';
import type { DataOf } from '../../api/contract.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { type Comparison, makeComparison } from './comparison.ts';

const VERDICT_WORDS = {
  same: 'same',
  differs: 'differs',
  before: 'differs now, was the same before',
} as const;

/** Each value beside that of the flagged record, with "same" or "differs" in words. It scrolls on its own where it is wider than the page. */
export function ComparisonTable({ evidence }: { evidence: DataOf<'readFlagEvidence'> }) {
  const { columns, vehicleIds, rows }: Comparison = makeComparison(evidence);
  return (
    <ScrollRegion aria-labelledby="comparison">
      <table className="comparison">
        <thead>
          <tr>
            <th scope="col">
              <span className="hidden">Property</span>
            </th>
            {columns.map((title, index) => (
              <th scope="col" key={title}>
                {title} <VehicleLink vehicleId={vehicleIds[index]} title={title} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, isIdentifier, cells }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {cells.map(({ text, verdict }, index) => (
                <td key={columns[index]} className={verdict}>
                  <Value text={text} label={label} isIdentifier={isIdentifier} />
                  {verdict === undefined ? null : (
                    <span className="verdict">{VERDICT_WORDS[verdict]}</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function VehicleLink({ vehicleId, title }: { vehicleId: string | undefined; title: string }) {
  return vehicleId === undefined ? null : (
    <Link href={`/vehicles/${vehicleId}`} aria-label={`${title}: vehicle`}>
      vehicle
    </Link>
  );
}

interface ValueProps {
  readonly text: string | null;
  readonly label: string;
  readonly isIdentifier: boolean;
}

function Value({ text, label, isIdentifier }: ValueProps) {
  if (text === null) return <span className="quiet">–</span>;
  if (label === 'Record')
    return (
      <Link href={`/records/${text}`} className="identifier">
        {text}
      </Link>
    );
  return <bdi className={isIdentifier ? 'identifier' : undefined}>{text}</bdi>;
}
