/** What an audit says, in one line. */
export interface Judgement {
  readonly isBad: boolean;
  readonly line: string;
}

interface AuditReport {
  readonly metadata?: { readonly vulnerabilities: Readonly<Record<string, number>> };
  readonly invalid?: readonly { readonly name: string; readonly version: string }[];
  readonly missing?: readonly object[];
  readonly statusCode?: number;
  readonly error?: { readonly code?: string };
}

const REFUSED_SEVERITIES = ['high', 'critical'] as const;

/** `npm audit --omit=dev --json`: bad with a vulnerability that is high or critical, not for want of an answer. */
export function judgeVulnerabilities(output: string): Judgement {
  const report = parse(output);
  if (report?.metadata === undefined) return noAnswer('vulnerabilities', report);
  const { vulnerabilities } = report.metadata;
  const counts = REFUSED_SEVERITIES.map((severity) => vulnerabilities[severity] ?? 0);
  const listed = REFUSED_SEVERITIES.map((severity, at) => `${counts[at]} ${severity}`).join(', ');
  return {
    isBad: counts.some((count) => count > 0),
    line: `vulnerabilities of production dependencies: ${listed}`,
  };
}

/** `npm audit signatures --json`: bad with a signature that is wrong, not for want of an answer. */
export function judgeSignatures(output: string): Judgement {
  const report = parse(output);
  if (report?.invalid === undefined) return noAnswer('signatures', report);
  const { invalid, missing = [] } = report;
  const names = invalid.map(({ name, version }) => ` ${name}@${version}`).join('');
  return {
    isBad: invalid.length > 0,
    line: `signatures: ${invalid.length} wrong${names}, ${missing.length} missing`,
  };
}

function noAnswer(what: string, report: AuditReport | undefined): Judgement {
  const reason = report?.statusCode ?? report?.error?.code ?? 'none in time';
  return { isBad: false, line: `${what}: not checked, the registry gives no answer (${reason})` };
}

/** Undefined for what is no report. */
function parse(output: string): AuditReport | undefined {
  try {
    return JSON.parse(output) as AuditReport;
  } catch {
    return undefined;
  }
}
