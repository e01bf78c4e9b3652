import type { DataOf } from '../../api/contract.ts';
import { inWords } from '../../words.ts';
import { type CoverBar, makeCoverAxis } from './cover-axis.ts';

type VehicleCover = DataOf<'readVehicle'>['covers'][number];

const LANE_HEIGHT = 28;
const BAR_HEIGHT = 22;
const AXIS_HEIGHT = 20;

interface CoverChartProps {
  readonly covers: readonly VehicleCover[];
  readonly today: string;
}

/** Every cover as a bar on one axis of time. The table below it has the same content. */
export function CoverChart({ covers, today }: CoverChartProps) {
  const axis = makeCoverAxis(covers, today);
  const bottom = axis.laneCount * LANE_HEIGHT;
  return (
    <svg
      className="cover-chart"
      role="img"
      aria-label="The covers on an axis of time. The table has the same content."
      width="100%"
      height={bottom + AXIS_HEIGHT}
    >
      {axis.ticks.map((tick) => (
        <Tick key={tick.label} tick={tick} bottom={bottom} />
      ))}
      {axis.bars.map((bar) => (
        <Bar key={`${bar.cover.certificateId} ${bar.cover.addedInVersion}`} bar={bar} />
      ))}
      {axis.today === undefined ? null : (
        <line
          className="cover-today"
          x1={`${axis.today}%`}
          x2={`${axis.today}%`}
          y1={0}
          y2={bottom + 4}
        >
          <title>Today</title>
        </line>
      )}
    </svg>
  );
}

/** Labels near the end stand before their line, because there is no room behind it. */
const END_PERCENT = 80;

function Tick({
  tick: { at, label },
  bottom,
}: {
  tick: { at: number; label: string };
  bottom: number;
}) {
  const isNearEnd = at > END_PERCENT;
  return (
    <g>
      <line className="cover-tick" x1={`${at}%`} x2={`${at}%`} y1={0} y2={bottom + AXIS_HEIGHT} />
      <text
        className="cover-label"
        x={`${at}%`}
        dx={isNearEnd ? -4 : 4}
        y={bottom + 15}
        textAnchor={isNearEnd ? 'end' : 'start'}
      >
        {label}
      </text>
    </g>
  );
}

/** An inner drawing, because that cuts off what does not fit into the bar. */
function Bar({ bar: { cover, lane, start, length } }: { bar: CoverBar<VehicleCover> }) {
  const isOver = ['EXPIRED', 'CANCELLED', 'SUPERSEDED'].includes(cover.coverageStatus);
  return (
    <svg
      x={`${start}%`}
      y={lane * LANE_HEIGHT + 3}
      width={`${length}%`}
      height={BAR_HEIGHT}
      className={isOver ? 'cover-bar is-over' : 'cover-bar'}
    >
      <title>
        {`${cover.registryReference}, ${cover.issuingInsurer.name}, ${cover.firstDay} to ${cover.lastDay}, ${inWords(cover.coverageStatus)}`}
      </title>
      <rect width="100%" height="100%" rx={3} />
      <text x={6} y={15}>
        {cover.issuingInsurer.code}
      </text>
    </svg>
  );
}
