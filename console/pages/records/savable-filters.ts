import { COVERAGE_STATUSES, LIFECYCLES, RECORD_ORDERS, REGIONS } from 'virtual:contract';
import {
  areCodes,
  isBoolean,
  isMoment,
  oneOrMoreOf,
  type SavableFilters,
} from '../../ui/list/savable.ts';

/** What a saved view may have: no identifier, policy or certificate, because these identify a person. */
export const SAVABLE_RECORD_FILTERS: SavableFilters = {
  status: oneOrMoreOf(COVERAGE_STATUSES),
  lifecycle: oneOrMoreOf(LIFECYCLES),
  region: oneOrMoreOf(REGIONS),
  hasOpenFlags: isBoolean,
  insurerCode: areCodes,
  transmitterCode: areCodes,
  poolCode: areCodes,
  order: oneOrMoreOf(RECORD_ORDERS),
  registeredFrom: isMoment,
  registeredTo: isMoment,
  effectiveFrom: isMoment,
  effectiveTo: isMoment,
  expirationFrom: isMoment,
  expirationTo: isMoment,
};
