import { isTerminal } from '../../shared/contract/enums.ts';
import type { Finding } from '../../shared/contract/findings.ts';
import type { Acknowledgment } from '../../shared/contract/machine/acknowledgment.ts';
import type { CoverageResult, CoverageSpan } from '../../shared/contract/machine/coverage.ts';
import type {
  RecordDetail,
  RecordSummary,
  SearchResult,
} from '../../shared/contract/machine/record.ts';
import type { TestAnswer } from '../env/api/signed-request.ts';
import type { References } from './references.ts';
import type { Request } from './rules/reading/request.ts';
import { relatedText } from './rules/related.ts';
import type { Ack, Answer } from './rules/state.ts';

/** Reduces an answer to what the rules predict, with keys instead of references. Throws when the answer is inconsistent. */
export function digest(request: Request, answer: TestAnswer, references: References): Answer {
  const { data, error } = answer.envelope;
  return {
    status: answer.status,
    code: error?.code ?? null,
    details: (error?.details ?? []).map((finding) => findingText(finding, references)).sort(),
    data: data === null ? null : digestData(request, data, references),
  };
}

function digestData(request: Request, data: object, references: References): unknown {
  switch (request.op) {
    case 'transmit':
    case 'amend':
    case 'cancel':
    case 'lookup':
      return 'disclaimer' in data
        ? digestAck(data as Acknowledgment, references)
        : digestConflict(data as { transmissionReference: string; status: string }, references);
    case 'read':
      return digestRecord(data as RecordDetail, references);
    case 'search':
      return digestSearch(data as SearchResult, references);
    case 'coverage':
      return digestCoverage(data as CoverageResult, references);
    default:
      return request satisfies never;
  }
}

function digestAck(data: Acknowledgment, references: References): Ack {
  requireConsistent(
    data.transactionReference === data.registryReference,
    'two references of one record',
    data,
  );
  requireConsistent(
    data.plateNumber === (data.plateNumbers[0] ?? null),
    'another first plate',
    data,
  );
  requireConsistent(isTerminal(data.status), 'not settled', data);
  references.compare(data);
  return {
    kind: data.kind,
    status: data.status,
    replayed: data.replayed,
    externalTransactionId: data.externalTransactionId,
    record: references.recordOf(data.registryReference),
    version: data.version,
    coverageStatus: data.coverageStatus,
    policyNumber: data.policyNumber,
    cocNumber: data.certificateOfCover,
    plateNumbers: data.plateNumbers,
    errors: data.errors.map((finding) => findingText(finding, references)).sort(),
    warnings: data.warnings.map((finding) => findingText(finding, references)).sort(),
    flags: data.flags
      .map(
        ({ type, plateNumber, relatedRegistryReference }) =>
          `${type} ${plateNumber}${relatedText(references.recordOf(relatedRegistryReference))}`,
      )
      .sort(),
    referenceMatches: data.referenceMatches.map(
      ({ plateNumber, result }) => `${plateNumber} ${result}`,
    ),
  };
}

function digestConflict(
  { transmissionReference, status }: { transmissionReference: string; status: string },
  references: References,
) {
  const isDone = status === 'ACCEPTED' || status === 'FLAGGED' || status === 'REJECTED';
  return {
    transmission: references.transmissionOf(transmissionReference),
    status: isDone ? status : 'IN_PROGRESS',
  };
}

/** `code field`, with the insurer and end of a cover, and the record that has a number. */
function findingText(finding: Finding, references: References): string {
  const { code, field, message, registryReference } = finding;
  const plain = `${code} ${field}`;
  if (registryReference !== undefined)
    return `${plain} of ${references.recordOf(registryReference)}`;
  const [, insurer, until] = /by (.+) until (\d{4}-\d{2}-\d{2})/.exec(message) ?? [];
  return code === 'VEHICLE_ALREADY_INSURED' ? `${plain} by ${insurer} until ${until}` : plain;
}

function digestSummary(item: RecordSummary, references: References) {
  return {
    record: references.recordOf(item.registryReference),
    policyNumber: item.policyNumber,
    cocNumber: item.cocNumber,
    effectiveDate: item.effectiveDate,
    expirationDate: item.expirationDate,
    coverageStatus: item.coverageStatus,
    lifecycle: item.lifecycle,
    currentVersion: item.currentVersion,
    insurer: item.issuingInsurer.code,
    transmitter: item.transmittingOrg.code,
    pool: item.pool?.code ?? null,
    operatorName: item.operatorName,
    region: item.region,
    plateNumbers: item.plateNumbers,
    vehicleCount: item.vehicleCount,
    openFlagCount: item.openFlagCount,
  };
}

function digestRecord(record: RecordDetail, references: References) {
  const { issuanceDate, coverageType, premiumAmount, officialReceiptNumber, remarks } =
    record.policy;
  return {
    ...digestSummary(record, references),
    policy: { issuanceDate, coverageType, premiumAmount, officialReceiptNumber, remarks },
    verification: record.insurerVerificationRef,
    vehicles: record.vehicles.map(({ vehicle, transmitted, addedInVersion, removedInVersion }) => ({
      ids: identifiersOf(vehicle),
      sent: identifiersOf(transmitted),
      region: vehicle.region,
      addedInVersion,
      removedInVersion,
    })),
    versions: record.versions.map(({ version, coverageStatus }) => ({ version, coverageStatus })),
    current: currentPolicyOf(record),
    amendments: record.amendments.map(({ fromVersion, toVersion, diff }) => ({
      fromVersion,
      toVersion,
      paths: Array.isArray(diff) ? diff.map(({ path }) => path).sort() : 'omitted',
    })),
    cancelledAsOf: record.cancellation?.cancellationEffectiveDate ?? null,
    flags: record.flags.map((flag) => flagText(flag, references)).sort(),
    // The list includes transmissions in progress, whose outcome is not yet known here.
    transmissions: record.transmissions
      .filter(({ status }) => isTerminal(status))
      .map(
        ({ kind, externalTransactionId, status, errorCode }) =>
          `${kind} ${externalTransactionId} ${status} ${errorCode}`,
      )
      .sort(),
  };
}

function flagText(flag: RecordDetail['flags'][number], references: References): string {
  const { type, status, plateNumber, relatedRegistryReference, relatedCertificateId } = flag;
  requireConsistent(
    (relatedCertificateId === null) === (relatedRegistryReference === null),
    'a related record without its reference, or a reference without it',
    flag,
  );
  const related = relatedText(references.recordOf(relatedRegistryReference));
  const insurer = flag.relatedInsurerName === null ? '' : ` of ${flag.relatedInsurerName}`;
  return `${type} ${status} ${plateNumber}${related}${insurer}`;
}

/** The policy in the snapshot of the latest version. */
function currentPolicyOf({ versions }: RecordDetail) {
  const snapshot = versions.at(-1)?.snapshot ?? {};
  const { policyNumber: _number, ...details } = snapshot['policy'] as Record<string, unknown>;
  return details;
}

function identifiersOf(one: RecordDetail['vehicles'][number]['transmitted']) {
  const { chassisNumber, engineNumber, mvFileNumber, plateNumber } = one;
  return { chassisNumber, engineNumber, mvFileNumber, plateNumber };
}

function digestSearch({ items, page, pageSize, total }: SearchResult, references: References) {
  const sequences = items.map(({ registryReference }) => Number(registryReference.split('-')[2]));
  const isNewestFirst = sequences.every(
    (one, index) => index === 0 || one < (sequences[index - 1] ?? 0),
  );
  requireConsistent(isNewestFirst, 'not the newest first', sequences);
  return {
    items: items
      .map((item) => digestSummary(item, references))
      .sort((one, other) => ((one.record ?? '') < (other.record ?? '') ? -1 : 1)),
    page,
    pageSize,
    total,
  };
}

function digestCoverage(result: CoverageResult, references: References) {
  const spanOf = (span: CoverageSpan | null) =>
    span && {
      insurerCode: span.insurerCode,
      effectiveDate: span.effectiveDate,
      expirationDate: span.expirationDate,
      coverageStatus: span.coverageStatus,
      record: references.recordOf(span.registryReference),
    };
  return {
    identifier: result.identifier,
    matchedBy: result.matchedBy,
    asOf: result.asOf,
    covered: result.covered,
    vehicle: identifiersOf(result.vehicle),
    coverage: spanOf(result.coverage),
    next: spanOf(result.next),
  };
}

function requireConsistent(isSo: boolean, otherwise: string, what: unknown): void {
  if (!isSo) throw new Error(`the answer is inconsistent: ${otherwise}: ${JSON.stringify(what)}`);
}
