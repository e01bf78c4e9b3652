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
import type { Actor, RequestSpec } from './request-specs.ts';
import { CLIENTS, type ClientName } from './rules/organizations.ts';
import type { Request, SubmittingRequest } from './rules/reading/request.ts';
import type { ModelRecord } from './rules/state.ts';
import { keyOf } from './rules/step.ts';

/** The request of a specification in the current state; undefined when there is no record for it. */
export function resolve(spec: RequestSpec, at: Situation): Request | undefined {
  switch (spec.do) {
    case 'transmit':
      return { op: 'transmit', client: spec.client, body: transmissionBody(spec, at) };
    case 'amend': {
      const record = picked(at.state.records, spec.record);
      return (
        record && {
          op: 'amend',
          client: actorOf(spec.client, record),
          target: record.key,
          body: amendmentBody(spec, record, at),
        }
      );
    }
    case 'cancel': {
      const record = picked(at.state.records, spec.record);
      return (
        record && {
          op: 'cancel',
          client: actorOf(spec.client, record),
          target: record.key,
          body: cancellationBody(spec, record, at),
        }
      );
    }
    case 'again':
      return at.submitted.at(-1);
    case 'repeat': {
      const request = picked(at.submitted, spec.request);
      return request && (spec.changed ? changed(request) : request);
    }
    case 'read': {
      const record = picked(at.state.records, spec.record);
      return record && { op: 'read', client: actorOf(spec.client, record), target: record.key };
    }
    case 'lookup': {
      const request = picked(at.submitted, spec.request);
      const isRecorded =
        request && at.state.transmissions.some(({ key }) => key === keyOf(request));
      return request && isRecorded
        ? { op: 'lookup', client: spec.client, transmission: keyOf(request), by: spec.by }
        : undefined;
    }
    case 'search':
      return {
        op: 'search',
        client: spec.client,
        status: spec.status,
        criteria: {
          ...identifiersOf(spec.identifiers, at, 1),
          ...(spec.policy === undefined ? {} : { policyNumber: policyNumber(spec.policy, at) }),
        },
      };
    case 'coverage':
      return {
        op: 'coverage',
        client: spec.client,
        identifier: identifierOf(spec.kind, spec.value, at, 0),
        asOf: spec.asOf === undefined ? undefined : dayOf(spec.asOf, at),
      };
    default:
      return spec satisfies never;
  }
}

function actorOf(actor: Actor, { insurer, transmitter }: ModelRecord): ClientName {
  if (actor !== 'insurer' && actor !== 'transmitter') return actor;
  const organization = actor === 'insurer' ? insurer : transmitter;
  const names = Object.keys(CLIENTS) as ClientName[];
  return names.find((name) => CLIENTS[name] === organization) ?? 'alpha';
}

/** Another request with the same id. */
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
