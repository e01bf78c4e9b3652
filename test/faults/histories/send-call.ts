import type { Outcome } from '../../../client/outcome.ts';
import type {
  RegistryClient,
  SubmissionOutcome,
  SubmitOptions,
} from '../../../client/registry-client.ts';
import {
  IDENTIFIER_KINDS,
  type IdentifierKind,
  isTerminal,
} from '../../../shared/contract/enums.ts';
import type { Finding } from '../../../shared/contract/findings.ts';
import type { Acknowledgment } from '../../../shared/contract/machine/acknowledgment.ts';
import type { CoverageSpan } from '../../../shared/contract/machine/coverage.ts';
import type { VehicleBody } from '../../../shared/contract/machine/transmission.ts';
import { makeBody, makePlainVehicle, today } from '../../env/api/bodies.ts';
import { ABSENT, type Call, describe, describeCovers } from './coverage-rules.ts';
import { type Name, type Names, VALUES } from './coverage-state.ts';
import { PLATE } from './draw-call.ts';

/** The identifiers of a family, and its certificates. */
export interface Family {
  /** Two vehicles; each identifier kind has two values. */
  readonly values: readonly VehicleBody[];
  /** By the certificate's key: the plate under which it was registered, and its registry reference once it is known. */
  readonly plates: Map<string, string>;
  readonly references: Map<string, string>;
}

export interface CallResult {
  readonly result: string;
  /** The reference of a registered certificate. */
  readonly reference?: string | undefined;
}

export interface CallOptions extends SubmitOptions {
  /** How long the caller waits for an outcome. */
  readonly timeoutMs: number;
}

/** Sends a call and waits until a submission is settled. Undefined when the caller gave up: the outcome is then unknown. */
export async function sendCall(
  client: RegistryClient,
  family: Family,
  call: Call,
  options: CallOptions,
): Promise<CallResult | undefined> {
  switch (call.op) {
    case 'transmit':
    case 'amend days':
    case 'amend name':
    case 'cancel':
      try {
        const first = await submit(client, family, call, options);
        return await untilSettled(client, first, call.key, options);
      } catch (error) {
        if (options.signal?.aborted === true) return undefined;
        throw error;
      }
    case 'look up': {
      const { ok, status, data, error } = await client.readTransmission(call.key);
      if (ok) return { result: isTerminal(data.status) ? outcomeOf(data) : 'in progress' };
      return absentOr(status, error.code, call.op);
    }
    case 'check': {
      const [, value] = identifierOf(family, call.name);
      const { ok, status, data, error } = await client.checkCoverage(value, { asOf: call.day });
      if (!ok) return absentOr(status, error.code, call.op);
      return { result: describeCovers(coverOf(data.coverage), coverOf(data.next)) };
    }
    case 'search': {
      const [kind, value] = identifierOf(family, call.name);
      const { items } = requireData(await client.searchRecords({ [kind]: value, pageSize: 200 }));
      const found = items.map((item) => `${item.cocNumber} ${describeRecord(item)}`);
      return { result: found.sort().join(', ') };
    }
    case 'read': {
      const found = requireData(await client.readRecord(referenceOf(family, call.certificate)));
      return { result: describeRecord(found) };
    }
    default:
      return call satisfies never;
  }
}

type SubmissionCall = Exclude<Call, { op: 'look up' | 'check' | 'search' | 'read' }>;

function submit(
  client: RegistryClient,
  family: Family,
  call: SubmissionCall,
  options: SubmitOptions,
): Promise<SubmissionOutcome> {
  const externalTransactionId = call.key;
  switch (call.op) {
    case 'transmit': {
      const vehicle = makePlainVehicle(identifiersOf(family, call.names));
      family.plates.set(call.key, vehicle.plateNumber ?? '');
      return client.transmit(
        makeBody({
          externalTransactionId,
          issuingInsurerCode: codeOf(call.insurer),
          policy: { policyNumber: call.key },
          certificate: { cocNumber: call.key, effectiveDate: call.from, expirationDate: call.to },
          vehicles: [vehicle],
        }),
        options,
      );
    }
    case 'amend days': {
      const certificate = { effectiveDate: call.from, expirationDate: call.to };
      const body = { externalTransactionId, reason: 'other days', changes: { certificate } };
      return client.amend(referenceOf(family, call.certificate), body, options);
    }
    case 'amend name': {
      const match = { plateNumber: family.plates.get(call.certificate) ?? '' };
      const [kind, value] = identifierOf(family, call.name);
      const changes = { vehicles: { update: [{ match, set: { [kind]: value } }] } };
      const body = { externalTransactionId, reason: 'another name', changes };
      return client.amend(referenceOf(family, call.certificate), body, options);
    }
    case 'cancel': {
      const body = {
        externalTransactionId,
        policyNumber: call.certificate,
        cocNumber: call.certificate,
        cancellationEffectiveDate: today(),
        reasonCode: 'OPERATOR_REQUEST',
        reasonText: 'no longer wanted',
      };
      return client.cancel(referenceOf(family, call.certificate), body, options);
    }
    default:
      return call satisfies never;
  }
}

const LOOKUP_WAIT_SECONDS = 5;

async function untilSettled(
  client: RegistryClient,
  first: SubmissionOutcome,
  key: string,
  { timeoutMs }: CallOptions,
): Promise<CallResult | undefined> {
  const endsAt = Date.now() + timeoutMs;
  let { data } = first;
  while (data !== null && Date.now() < endsAt) {
    if ('disclaimer' in data && isTerminal(data.status)) {
      const reference = data.registryReference ?? undefined;
      return { result: outcomeOf(data), reference };
    }
    data = requireData(await client.readTransmission(key, { waitSeconds: LOOKUP_WAIT_SECONDS }));
  }
  if (data !== null) return undefined;
  throw new Error(`${key} was answered ${first.status} ${first.error?.code}`);
}

/** `ACCEPTED v2`, or `REJECTED` with the reasons. */
function outcomeOf({ status, version, errors }: Acknowledgment): string {
  return status === 'REJECTED'
    ? `REJECTED ${errors.map(refusalOf).join(', ')}`
    : `${status} v${version}`;
}

function refusalOf({ code, message }: Finding): string {
  const [, insurer, last] =
    /^Already covered by (.+) until (\d{4}-\d{2}-\d{2})\./.exec(message) ?? [];
  return insurer === undefined ? code : `${code} by ${insurer} until ${last}`;
}

function absentOr(status: number, code: string, op: Call['op']): CallResult {
  if (status === 404) return { result: ABSENT };
  throw new Error(`${op} was answered ${status} ${code}`);
}

function requireData<Data>(outcome: Outcome<Data>): Data {
  if (outcome.ok) return outcome.data;
  throw new Error(`answered ${outcome.status} ${outcome.error.code}`);
}

function describeRecord(record: {
  readonly lifecycle: string;
  readonly currentVersion: number;
  readonly effectiveDate: string;
  readonly expirationDate: string;
}): string {
  return describe({
    isCancelled: record.lifecycle === 'CANCELLED',
    version: record.currentVersion,
    from: record.effectiveDate,
    to: record.expirationDate,
  });
}

function coverOf(span: CoverageSpan | null) {
  if (span === null) return undefined;
  return { insurer: span.insurerName, from: span.effectiveDate, to: span.expirationDate };
}

function identifiersOf(family: Family, names: Names): Partial<VehicleBody> {
  const named = names.flatMap((name) => (name === undefined ? [] : [identifierOf(family, name)]));
  return Object.fromEntries(named);
}

function identifierOf({ values }: Family, name: Name): [IdentifierKind, string] {
  const kind =
    IDENTIFIER_KINDS[Math.floor(name / VALUES)] ?? IDENTIFIER_KINDS[PLATE] ?? 'plateNumber';
  return [kind, values[name % VALUES]?.[kind] ?? ''];
}

function referenceOf({ references }: Family, certificate: string): string {
  const reference = references.get(certificate);
  if (reference === undefined) throw new Error('a certificate without a reference');
  return reference;
}

/** `Alpha Insurance` is INS-ALPHA, `insurer-01` is INS-INSURER-01. */
function codeOf(insurer: string): string {
  return `INS-${(insurer.split(' ')[0] ?? '').toUpperCase()}`;
}
