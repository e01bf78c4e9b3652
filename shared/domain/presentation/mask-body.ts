import { PERSONAL_MASKS } from './masking.ts';

/** The paths of an operator in a submitted body: the first for CREATE, the second for AMEND. */
const OPERATOR_PLACES = ['operator', 'changes.operator'] as const;

/** The submitted body with masked personal data. Personal members keep their names (D22). */
export function maskBody(body: object): Record<string, unknown> {
  const changes = memberOf(body, 'changes');
  return {
    ...body,
    ...maskedOperatorOf(body),
    ...(changes === undefined ? {} : { changes: { ...changes, ...maskedOperatorOf(changes) } }),
  };
}

/** The paths of the personal members in a submitted body, such as `operator.tin`. Their order does not depend on the body. */
export function personalPathsOf(body: object): string[] {
  return OPERATOR_PLACES.flatMap((place) => {
    const operator = place
      .split('.')
      .reduce<object | undefined>((at, name) => at && memberOf(at, name), body);
    const members: Record<string, unknown> = { ...operator };
    return Object.keys(PERSONAL_MASKS)
      .filter((name) => members[name] !== undefined && members[name] !== null)
      .map((name) => `${place}.${name}`);
  });
}

function maskedOperatorOf(holder: object): { operator?: Record<string, unknown> } {
  const operator = memberOf(holder, 'operator');
  if (operator === undefined) return {};
  const members = Object.entries(operator).map(([name, value]) => [name, masked(name, value)]);
  return { operator: Object.fromEntries(members) };
}

function masked(name: string, value: unknown): unknown {
  if (value === null || value === undefined || !(name in PERSONAL_MASKS)) return value;
  const mask = PERSONAL_MASKS[name as keyof typeof PERSONAL_MASKS];
  return typeof value === 'string' ? mask(value) : '***';
}

function memberOf(holder: object, name: string): object | undefined {
  const member = (holder as Record<string, unknown>)[name];
  return typeof member === 'object' && member !== null ? member : undefined;
}
