import {
  CHANNELS,
  ERROR_CODES,
  FINDING_CODES,
  TRANSMISSION_KINDS,
  TRANSMISSION_STATUSES,
} from 'virtual:contract';
import {
  areCodes,
  isBoolean,
  isMoment,
  oneOrMoreOf,
  type SavableFilters,
} from '../../ui/list/savable.ts';

/** What a saved view may have: no identifier and no number of one transmission, because these identify a person. */
export const SAVABLE_TRANSMISSION_FILTERS: SavableFilters = {
  status: oneOrMoreOf(TRANSMISSION_STATUSES),
  kind: oneOrMoreOf(TRANSMISSION_KINDS),
  channel: oneOrMoreOf(CHANNELS),
  organizationCode: areCodes,
  insurerCode: areCodes,
  errorCode: oneOrMoreOf(ERROR_CODES),
  findingCode: oneOrMoreOf(FINDING_CODES),
  parked: isBoolean,
  receivedFrom: isMoment,
  receivedTo: isMoment,
};
