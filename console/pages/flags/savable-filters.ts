import { FLAG_ORDERS, FLAG_STATUSES, FLAG_TYPES, REGIONS } from 'virtual:contract';
import {
  areCodes,
  isBoolean,
  isMoment,
  isWholeNumber,
  oneOrMoreOf,
  type SavableFilters,
} from '../../ui/list/savable.ts';

/** What a saved view may have: no plate number, no record and no user, because these identify a person. */
export const SAVABLE_FLAG_FILTERS: SavableFilters = {
  status: oneOrMoreOf(FLAG_STATUSES),
  type: oneOrMoreOf(FLAG_TYPES),
  region: oneOrMoreOf(REGIONS),
  order: oneOrMoreOf(FLAG_ORDERS),
  insurerCode: areCodes,
  assigned: isBoolean,
  ageDaysMin: isWholeNumber,
  ageDaysMax: isWholeNumber,
  reviewedFrom: isMoment,
  reviewedTo: isMoment,
};
