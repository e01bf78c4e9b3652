import { measureLimit } from './cells/registration.ts';
import { percentile } from './measure/statistics.ts';
import type { Control } from './rounds.ts';
import type { World } from './world.ts';

const CONTROL_DATABASE = 'bench_control';
/** Looks at the control each time; the middle one counts. */
const CONTROL_LOOKS = 3;
const CONNECTIONS = 8;
/** One of so many is carried out before the clock runs: fresh connections are slower at first. */
const WARM_UP_PART = 4;

/** What the control takes on two cores, for the forecast. */
export const CONTROL_SECONDS = 5;

/** The same work each time: registrations of one vehicle straight on PostgreSQL, so many in all looks. */
export function makeControl(world: World, items: number): Control {
  return async () => {
    const database = await world.database(CONTROL_DATABASE);
    const looks: number[] = [];
    for (let look = 0; look < CONTROL_LOOKS; look += 1) {
      const { perSecond, faults } = await measureLimit(world.servers, database, {
        vehicles: 1,
        items: Math.ceil(items / CONTROL_LOOKS),
        connections: CONNECTIONS,
        warmUpItems: Math.ceil(items / CONTROL_LOOKS / WARM_UP_PART),
      });
      if (faults.length > 0) throw new Error(`the control was wrong: ${faults.join('; ')}`);
      looks.push(perSecond);
    }
    return percentile(looks, 50);
  };
}
