import type { Facts } from '../../../shared/domain/facts.ts';
import { checkAuthority } from '../../../shared/domain/validation/authority.ts';
import type { BodyChanges } from '../../env/bodies.ts';
import {
  ALPHA,
  BRAVO,
  MANAGEMENT,
  makeFacts,
  makeMembership,
  makeOrganization,
  makeSubmission,
  POOL,
  TODAY,
} from '../facts-and-submissions.ts';

function found(facts: Partial<Facts>, changes: BodyChanges = {}): string[] {
  return checkAuthority(makeSubmission(changes), makeFacts(facts)).map(
    ({ code, field, level, severity }) => `${level} ${severity} ${code} ${field}`,
  );
}

const forBravo = { issuingInsurerCode: BRAVO.code };
const notAuthorized = '3 ERROR NOT_AUTHORIZED_TO_TRANSMIT issuingInsurerCode';
const noMembership = '3 ERROR POOL_MEMBERSHIP_NOT_FOUND poolCode';

describe('level 3', () => {
  it('lets an insurer transmit for itself', () => {
    expect(found({})).toEqual([]);
  });

  it('refuses an organization that is not active', () => {
    const suspended = makeOrganization('INS-ALPHA', { status: 'SUSPENDED' });
    expect(found({ submitter: suspended })).toEqual(['3 ERROR ORGANIZATION_NOT_ACTIVE null']);
  });

  it('refuses a client that has lost its scope or is not active any more', () => {
    const client = {
      status: 'ACTIVE',
      scopes: ['ppai:read'],
      neededScope: 'ppai:transmit',
    } as const;
    expect(found({ client })).toEqual(['3 ERROR MISSING_SCOPE null']);
    expect(
      found({ client: { ...client, scopes: ['ppai:transmit'], status: 'SUSPENDED' } }),
    ).toEqual(['3 ERROR MISSING_SCOPE null']);
  });

  it('asks no scope of what a person transmits', () => {
    expect(found({ client: null })).toEqual([]);
  });

  it.each([
    ['nobody', null],
    ['a pool', POOL],
    ['a management company', MANAGEMENT],
    ['the regulator', makeOrganization('REG', { type: 'REGULATOR' })],
  ])('does not know %s as an insurer', (_who, issuingInsurer) => {
    expect(found({ issuingInsurer })).toEqual(['3 ERROR UNKNOWN_INSURER issuingInsurerCode']);
  });

  it('refuses an issuing insurer that is not active', () => {
    const issuingInsurer = makeOrganization('INS-ALPHA', { status: 'SUSPENDED' });
    expect(found({ issuingInsurer })).toEqual(['3 ERROR INSURER_NOT_ACTIVE issuingInsurerCode']);
  });

  it('leaves an absent insurer to level 1', () => {
    expect(found({ issuingInsurer: null }, { issuingInsurerCode: null })).toEqual([]);
  });

  it('refuses who is neither the insurer nor lead or manager of its pool', () => {
    expect(found({ issuingInsurer: BRAVO }, forBravo)).toEqual([notAuthorized]);
    const stranger = makeOrganization('INS-OTHER');
    expect(
      found(
        { submitter: stranger, issuingInsurer: BRAVO, memberships: [makeMembership()] },
        forBravo,
      ),
    ).toEqual([notAuthorized]);
  });

  it.each([
    ['lead insurer', ALPHA],
    ['management company', MANAGEMENT],
  ])('lets the %s of a pool transmit for its member', (_role, submitter) => {
    const memberships = [makeMembership()];
    expect(found({ submitter, issuingInsurer: BRAVO, memberships }, forBravo)).toEqual([]);
  });

  it.each([
    ['before the membership began', '2024-12-31', false],
    ['on its first day', '2025-01-01', true],
    ['on its last day', '2025-12-31', true],
    ['after it ended', '2026-01-01', false],
  ])('looks at the issuance date: %s, %s', (_when, issuanceDate, may) => {
    const memberships = [makeMembership({ validTo: '2025-12-31' })];
    const changes = { ...forBravo, policy: { issuanceDate } };
    expect(found({ submitter: MANAGEMENT, issuingInsurer: BRAVO, memberships }, changes)).toEqual(
      may ? [] : [notAuthorized],
    );
  });

  it('gives nobody the authority of a pool without an issuance date', () => {
    const memberships = [makeMembership()];
    for (const issuanceDate of [null, '2026-02-30']) {
      const changes = { ...forBravo, policy: { issuanceDate } };
      expect(found({ issuingInsurer: BRAVO, memberships }, changes)).toEqual([notAuthorized]);
    }
  });

  it('takes a pool code only when the insurer was a member on the issuance date', () => {
    const poolCode = POOL.code;
    expect(found({ pool: POOL, memberships: [makeMembership()] }, { poolCode })).toEqual([]);
    expect(found({ pool: POOL }, { poolCode })).toEqual([noMembership]);
    expect(
      found(
        { pool: POOL, memberships: [makeMembership({ validFrom: '2026-06-16' })] },
        { poolCode },
      ),
    ).toEqual([noMembership]);
    expect(
      found({ pool: POOL, memberships: [makeMembership({ validTo: TODAY })] }, { poolCode }),
    ).toEqual([]);
  });

  it('takes no other pool for the one that was named', () => {
    const memberships = [makeMembership({ poolCode: 'POOL-SOUTH' })];
    expect(found({ memberships }, { poolCode: POOL.code })).toEqual([noMembership]);
    expect(found({ memberships }, { poolCode: 'NOBODY' })).toEqual([noMembership]);
  });

  it('reports everything that is wrong at once', () => {
    const submitter = makeOrganization('INS-DORMANT', { status: 'SUSPENDED' });
    expect(
      found({ submitter, issuingInsurer: BRAVO }, { ...forBravo, poolCode: POOL.code }),
    ).toEqual(['3 ERROR ORGANIZATION_NOT_ACTIVE null', notAuthorized, noMembership]);
  });
});
