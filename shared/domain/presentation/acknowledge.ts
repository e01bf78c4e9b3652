import type { CoverageStatus, TransmissionKind, TransmissionStatus } from '../../contract/enums.ts';
import { type Finding, makeFinding } from '../../contract/findings.ts';
import {
  type Acknowledgment,
  type AcknowledgmentFlag,
  DISCLAIMER,
} from '../../contract/machine/acknowledgment.ts';
import { FINDINGS_LISTED_MAX } from '../../contract/machine/bounds.ts';
import type { Verdict } from '../rules/judge.ts';

/** The members of an acknowledgment that are known at receipt. */
export interface TransmissionHead {
  readonly transmissionReference: string;
  readonly externalTransactionId: string;
  readonly kind: TransmissionKind;
  readonly policyNumber: string | null;
  readonly cocNumber: string | null;
  readonly receivedAt: Date;
}

/** The record that a transmission created or changed. */
export interface AcknowledgedRecord {
  readonly registryReference: string;
  readonly coverageStatus: CoverageStatus;
  readonly version: number;
}

/** The acknowledgment of a transmission in progress: no record, and empty lists (D3). */
export function acknowledgeInProgress(
  head: TransmissionHead,
  status: TransmissionStatus,
): Acknowledgment {
  return makeAcknowledgment(head, status);
}

/** Found in JSON that names a related record. A text value cannot contain it, because JSON escapes its quotation marks. */
const RELATED_MEMBER = '"relatedRegistryReference":"';

/** The related records that an acknowledgment names. */
export function relatedReferences(acknowledgmentJson: string | null): string[] {
  if (acknowledgmentJson === null || !acknowledgmentJson.includes(RELATED_MEMBER)) return [];
  const { flags } = JSON.parse(acknowledgmentJson) as Acknowledgment;
  return flags.flatMap(({ relatedRegistryReference }) => relatedRegistryReference ?? []);
}

/** The acknowledgment without the related records that are not `visible` (D23). */
export function hideRelated(acknowledgmentJson: string, visible: ReadonlySet<string>): string {
  if (!acknowledgmentJson.includes(RELATED_MEMBER)) return acknowledgmentJson;
  const acknowledgment = JSON.parse(acknowledgmentJson) as Acknowledgment;
  const flags = hideRelatedOf(acknowledgment.flags, visible);
  return JSON.stringify({ ...acknowledgment, flags });
}

/** The flags without the related records that are not `visible` (D23). */
export function hideRelatedOf(
  flags: readonly AcknowledgmentFlag[],
  visible: ReadonlySet<string>,
): AcknowledgmentFlag[] {
  return flags.map((flag) => ({
    ...flag,
    relatedRegistryReference: visible.has(flag.relatedRegistryReference ?? '')
      ? flag.relatedRegistryReference
      : null,
  }));
}

/**
 * The acknowledgment of a terminal status; `record` is null when rejected. The registry stores it completely and hides parts
 * from a viewer only when it shows it.
 */
export function acknowledge(
  head: TransmissionHead,
  verdict: PresentedVerdict,
  plateNumbers: readonly string[],
  record: AcknowledgedRecord | null,
): Acknowledgment {
  return {
    ...makeAcknowledgment(head, verdict.status),
    transactionReference: record?.registryReference ?? null,
    registryReference: record?.registryReference ?? null,
    plateNumber: plateNumbers[0] ?? null,
    plateNumbers: [...plateNumbers],
    coverageStatus: record?.coverageStatus ?? null,
    version: record?.version ?? null,
    ...presentVerdict(verdict),
  };
}

export type PresentedVerdict = Pick<Verdict, 'status' | 'findings' | 'flags' | 'referenceMatches'>;

/** The members of an acknowledgment or a dry run (D38) that a verdict decides. */
export function presentVerdict(
  verdict: Omit<PresentedVerdict, 'status'>,
): Pick<Acknowledgment, 'warnings' | 'errors' | 'flags' | 'referenceMatches'> {
  const findings = listedFindings(verdict.findings);
  return {
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

/** The findings of the lowest levels, up to the maximum. A last finding tells how many are omitted (D70). */
function listedFindings(findings: readonly Finding[]): readonly Finding[] {
  const omitted = findings.length - FINDINGS_LISTED_MAX;
  if (omitted <= 0) return findings;
  const message = `${omitted} more findings are not listed: correct the listed findings and send again.`;
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
