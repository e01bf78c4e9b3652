import type { CoverageStatus, TransmissionKind, TransmissionStatus } from '../../contract/enums.ts';
import { type Finding, makeFinding } from '../../contract/findings.ts';
import { type Acknowledgment, DISCLAIMER } from '../../contract/machine/acknowledgment.ts';
import { FINDINGS_LISTED_MAX } from '../../contract/machine/bounds.ts';
import type { Verdict } from '../rules/judge.ts';

/** What a transmission is called, whatever becomes of it. */
export interface TransmissionHead {
  readonly transmissionReference: string;
  readonly externalTransactionId: string;
  readonly kind: TransmissionKind;
  readonly policyNumber: string | null;
  readonly cocNumber: string | null;
  readonly receivedAt: Date;
}

/** The record that a transmission made or changed. */
export interface AcknowledgedRecord {
  readonly registryReference: string;
  readonly coverageStatus: CoverageStatus;
  readonly version: number;
}

/** Without an outcome yet: lists empty, nothing registered (D3). */
export function acknowledgeInProgress(
  head: TransmissionHead,
  status: TransmissionStatus,
): Acknowledgment {
  return makeAcknowledgment(head, status);
}

/** How JSON names a related record: in a text within it the quotation marks would be escaped. */
const NAMES_RELATED = '"relatedRegistryReference":"';

/** The related records that an acknowledgment names. */
export function relatedReferences(acknowledgmentJson: string | null): string[] {
  if (acknowledgmentJson === null || !acknowledgmentJson.includes(NAMES_RELATED)) return [];
  const { flags } = JSON.parse(acknowledgmentJson) as Acknowledgment;
  return flags.flatMap(({ relatedRegistryReference }) => relatedRegistryReference ?? []);
}

/** The same acknowledgment, naming only those related records that are `visible` (D23). */
export function hideRelated(acknowledgmentJson: string, visible: ReadonlySet<string>): string {
  if (!acknowledgmentJson.includes(NAMES_RELATED)) return acknowledgmentJson;
  const acknowledgment = JSON.parse(acknowledgmentJson) as Acknowledgment;
  const flags = acknowledgment.flags.map((flag) => ({
    ...flag,
    relatedRegistryReference: visible.has(flag.relatedRegistryReference ?? '')
      ? flag.relatedRegistryReference
      : null,
  }));
  return JSON.stringify({ ...acknowledgment, flags });
}

/**
 * The acknowledgment of a terminal status; `record` is null when rejected. It is kept whole: what a viewer may not see of it
 * is hidden when it is shown.
 */
export function acknowledge(
  head: TransmissionHead,
  verdict: Pick<Verdict, 'status' | 'findings' | 'flags' | 'referenceMatches'>,
  plateNumbers: readonly string[],
  record: AcknowledgedRecord | null,
): Acknowledgment {
  const findings = listedFindings(verdict.findings);
  return {
    ...makeAcknowledgment(head, verdict.status),
    transactionReference: record?.registryReference ?? null,
    registryReference: record?.registryReference ?? null,
    plateNumber: plateNumbers[0] ?? null,
    plateNumbers: [...plateNumbers],
    coverageStatus: record?.coverageStatus ?? null,
    version: record?.version ?? null,
    warnings: findings.filter(isWarning),
    errors: findings.filter(isError),
    flags: verdict.flags.map(({ type, message, plateNumber, related }) => ({
      type,
      message,
      relatedRegistryReference: related?.registryReference ?? null,
      plateNumber,
    })),
    referenceMatches: [...verdict.referenceMatches],
  };
}

/** Those of the first levels; what is left out is told (D70). */
function listedFindings(findings: readonly Finding[]): readonly Finding[] {
  const omitted = findings.length - FINDINGS_LISTED_MAX;
  if (omitted <= 0) return findings;
  const message = `${omitted} more findings are not listed: correct those that are, and send again.`;
  return [
    ...findings.slice(0, FINDINGS_LISTED_MAX),
    makeFinding('FINDINGS_OMITTED', null, message),
  ];
}

function isError({ severity }: Finding): boolean {
  return severity === 'ERROR';
}

function isWarning(finding: Finding): boolean {
  return !isError(finding);
}

function makeAcknowledgment(head: TransmissionHead, status: TransmissionStatus): Acknowledgment {
  return {
    status,
    transmissionReference: head.transmissionReference,
    transactionReference: null,
    registryReference: null,
    externalTransactionId: head.externalTransactionId,
    kind: head.kind,
    policyNumber: head.policyNumber,
    certificateOfCover: head.cocNumber,
    plateNumber: null,
    plateNumbers: [],
    coverageStatus: null,
    version: null,
    receivedAt: head.receivedAt.toISOString(),
    replayed: false,
    warnings: [],
    errors: [],
    flags: [],
    referenceMatches: [],
    acknowledgmentUrl: null,
    disclaimer: DISCLAIMER,
  };
}
