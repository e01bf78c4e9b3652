import { makeAxis, type Span } from './axis.ts';

const TOP = 24;
const ROW = 40;
const TEXT = 14;
const BAR_TOP = 20;
const BAR_HEIGHT = 12;

/** The members of a pool, or the pools of an insurer, over time. The table below has the same content in words. */
export function MembershipBars({
  memberships,
  today,
}: {
  memberships: readonly Span[];
  today: string;
}) {
  const { rows, years, today: now } = makeAxis(memberships, today);
  const height = TOP + rows.length * ROW;
  return (
    <svg
      className="bars"
      width="100%"
      height={height}
      role="img"
      aria-label="Memberships on an axis of time. The table below has the same content."
    >
      {years.map(({ year, left }) => (
        <g key={year}>
          <line className="bars-line" x1={`${left}%`} x2={`${left}%`} y1={0} y2={height} />
          <text className="bars-year" x={`${left}%`} dx={4} y={TEXT}>
            {year}
          </text>
        </g>
      ))}
      {rows.map(({ party, bars }, index) => (
        <g key={party.id}>
          {bars.map(({ id, left, width, state }) => (
            <rect
              key={id}
              className={`bar bar-${state}`}
              x={`${left}%`}
              width={`${width}%`}
              y={TOP + index * ROW + BAR_TOP}
              height={BAR_HEIGHT}
              rx={3}
            />
          ))}
          <text className="bars-name" x={0} y={TOP + index * ROW + TEXT}>
            {party.name}
          </text>
        </g>
      ))}
      <line className="bars-today" x1={`${now}%`} x2={`${now}%`} y1={0} y2={height} />
    </svg>
  );
}
