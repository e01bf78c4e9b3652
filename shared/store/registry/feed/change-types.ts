import type { ChangeType } from '../../../contract/machine/changes.ts';

/** The value of each type in the table `changes`. It never changes. */
export const CHANGE_TYPE_NUMBERS = {
  TRANSMISSION_COMPLETED: 1,
  RECORD_AMENDED: 2,
  RECORD_CANCELLED: 3,
  FLAG_CHANGED: 4,
  RECORD_VISIBLE: 5,
} as const satisfies Record<ChangeType, number>;

/** The organization under which the regulator's changes are stored. All organizations of type REGULATOR read them (D23). */
export const REGULATOR_FEED = '00000000-0000-0000-0000-000000000000';
