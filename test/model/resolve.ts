import {
  amendmentBody,
  cancellationBody,
  dayOf,
  identifierOf,
  identifiersOf,
  picked,
  policyNumber,
  type Situation,
  transmissionBody,
} from './bodies.ts';
import type { Actor, Deed } from './deeds.ts';
import { CLIENTS, type ClientName } from './rules/organizations.ts';
import type { Request, SubmittingRequest } from './rules/reading/request.ts';
import type { ModelRecord } from './rules/state.ts';
import { keyOf } from './rules/step.ts';

/** The request that a deed is now; undefined when there is nothing that it could be about. */
export function resolve(deed: Deed, at: Situation): Request | undefined {
  switch (deed.do) {
    case 'transmit':
      return { op: 'transmit', client: deed.client, body: transmissionBody(deed, at) };
    case 'amend': {
      const record = picked(at.state.records, deed.record);
      return (
        record && {
          op: 'amend',
          client: actorOf(deed.client, record),
          target: record.key,
          body: amendmentBody(deed, record, at),
        }
      );
    }
    case 'cancel': {
      const record = picked(at.state.records, deed.record);
      return (
        record && {
          op: 'cancel',
          client: actorOf(deed.client, record),
          target: record.key,
          body: cancellationBody(deed, record, at),
        }
      );
    }
    case 'again':
      return at.submitted.at(-1);
    case 'repeat': {
      const request = picked(at.submitted, deed.request);
      return request && (deed.changed ? changed(request) : request);
    }
    case 'read': {
      const record = picked(at.state.records, deed.record);
      return record && { op: 'read', client: actorOf(deed.client, record), target: record.key };
    }
    case 'lookup': {
      const request = picked(at.submitted, deed.request);
      const isRecorded =
        request && at.state.transmissions.some(({ key }) => key === keyOf(request));
      return request && isRecorded
        ? { op: 'lookup', client: deed.client, transmission: keyOf(request), by: deed.by }
        : undefined;
    }
    case 'search':
      return {
        op: 'search',
        client: deed.client,
        status: deed.status,
        criteria: {
          ...identifiersOf(deed.identifiers, at, 1),
          ...(deed.policy === undefined ? {} : { policyNumber: policyNumber(deed.policy, at) }),
        },
      };
    case 'coverage':
      return {
        op: 'coverage',
        client: deed.client,
        identifier: identifierOf(deed.kind, deed.value, at, 0),
        asOf: deed.asOf === undefined ? undefined : dayOf(deed.asOf, at),
      };
    default:
      return deed satisfies never;
  }
}

function actorOf(actor: Actor, { insurer, transmitter }: ModelRecord): ClientName {
  if (actor !== 'insurer' && actor !== 'transmitter') return actor;
  const organization = actor === 'insurer' ? insurer : transmitter;
  const names = Object.keys(CLIENTS) as ClientName[];
  return names.find((name) => CLIENTS[name] === organization) ?? 'alpha';
}

/** The same id for something else. */
function changed(request: SubmittingRequest): SubmittingRequest {
  switch (request.op) {
    case 'transmit':
      return { ...request, body: { ...request.body, poolCode: 'POOL-OTHER' } };
    case 'amend':
      return { ...request, body: { ...request.body, reason: 'Another reason' } };
    case 'cancel':
      return { ...request, body: { ...request.body, reasonText: 'Another reason' } };
    default:
      return request satisfies never;
  }
}
