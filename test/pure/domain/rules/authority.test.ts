import { checkAuthority } from '../../../../shared/domain/rules/authority.ts';
import type { Facts } from '../../../../shared/domain/rules/facts.ts';
import type { BodyChanges } from '../../../env/api/bodies.ts';
import {
  ALPHA,
  BRAVO,
  MANAGEMENT,
  makeFacts,
  makeMembership,
  makeOrganization,
  makePolicy,
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
  it('allows an insurer to transmit for itself', () => {
    expect(found({})).toEqual([]);
  });

  it('refuses an organization that is not active', () => {
    const suspended = makeOrganization('INS-ALPHA', { status: 'SUSPENDED' });
    expect(found({ submitter: suspended })).toEqual(['3 ERROR ORGANIZATION_NOT_ACTIVE null']);
  });

  it('refuses a client that has lost its scope or is no longer active', () => {
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

  it('requires no scope for transmissions by staff', () => {
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

  it('refuses an organization that is neither the insurer nor lead or manager of its pool', () => {
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
  ])('allows the %s of a pool to transmit for its member', (_role, submitter) => {
    const memberships = [makeMembership()];
    expect(found({ submitter, issuingInsurer: BRAVO, memberships }, forBravo)).toEqual([]);
  });

  it.each([
    ['before the membership began', '2024-12-31', false],
    ['on its first day', '2025-01-01', true],
    ['on its last day', '2025-12-31', true],
    ['after it ended', '2026-01-01', false],
  ])('uses the issuance date: %s, %s', (_when, issuanceDate, may) => {
    const memberships = [makeMembership({ validTo: '2025-12-31' })];
    const changes = { ...forBravo, policy: { issuanceDate } };
    expect(found({ submitter: MANAGEMENT, issuingInsurer: BRAVO, memberships }, changes)).toEqual(
      may ? [] : [notAuthorized],
    );
  });

  it('grants no authority through a pool without an issuance date', () => {
    const memberships = [makeMembership()];
    for (const issuanceDate of [null, '2026-02-30']) {
      const changes = { ...forBravo, policy: { issuanceDate } };
      expect(found({ issuingInsurer: BRAVO, memberships }, changes)).toEqual([notAuthorized]);
    }
  });

  describe('for a registered policy', () => {
    const policy = makePolicy({ issuanceDate: '2026-02-01' });
    const memberships = [makeMembership({ validTo: '2025-12-31' })];
    const facts = { submitter: MANAGEMENT, issuingInsurer: BRAVO, memberships };
    const claimed = (issuanceDate: string | null) => ({ ...forBravo, policy: { issuanceDate } });

    it.each(['2025-06-01', '2026-02-01', null])(
      'judges authority by its own issuance date, not by the one that is claimed: %s (D28)',
      (issuanceDate) => {
        expect(found({ ...facts, policy }, claimed(issuanceDate))).toEqual([notAuthorized]);
      },
    );

    it.each(['2025-06-01', '2026-02-01', null])(
      'gives authority by its own issuance date, whatever is claimed: %s (D28)',
      (issuanceDate) => {
        const registered = makePolicy({ issuanceDate: '2025-06-01' });
        expect(found({ ...facts, policy: registered }, claimed(issuanceDate))).toEqual([]);
      },
    );

    it('checks the pool of a transmitter without authority on the sent date (D28)', () => {
      const withPool = (issuanceDate: string) =>
        found({ ...facts, pool: POOL, policy }, { ...claimed(issuanceDate), poolCode: POOL.code });
      expect(withPool('2025-06-01')).toEqual([notAuthorized]);
      expect(withPool('2026-02-01')).toEqual([notAuthorized, noMembership]);
    });

    it('checks the pool of the insurer on the registered issuance date (D28)', () => {
      const own = { ...facts, submitter: BRAVO, pool: POOL, policy };
      expect(found(own, { ...claimed('2025-06-01'), poolCode: POOL.code })).toEqual([noMembership]);
    });
  });

  it('grants no authority through an inactive pool (D34)', () => {
    const memberships = [makeMembership({ poolStatus: 'SUSPENDED' })];
    for (const submitter of [ALPHA, MANAGEMENT])
      expect(found({ submitter, issuingInsurer: BRAVO, memberships }, forBravo)).toEqual([
        notAuthorized,
      ]);
    const other = makeMembership({ poolId: 'other', poolCode: 'POOL-SOUTH' });
    const both = [...memberships, other];
    expect(found({ issuingInsurer: BRAVO, memberships: both }, forBravo)).toEqual([]);
  });

  it('reports ORGANIZATION_NOT_ACTIVE for the code of an inactive pool (D34)', () => {
    const pool = { ...POOL, status: 'SUSPENDED' as const };
    const memberships = [makeMembership({ poolStatus: 'SUSPENDED' })];
    const notActive = '3 ERROR ORGANIZATION_NOT_ACTIVE poolCode';
    const poolCode = POOL.code;
    expect(found({ pool, memberships }, { poolCode })).toEqual([notActive]);
    expect(found({ pool }, { poolCode })).toEqual([notActive, noMembership]);
    // A code that belongs to no pool is reported as a pool of which the insurer is not a member.
    expect(found({ pool: { ...BRAVO, status: 'SUSPENDED' } }, { poolCode: BRAVO.code })).toEqual([
      noMembership,
    ]);
  });

  it('reports that a client is not active, and not that it lacks a scope', () => {
    const client = { scopes: ['ppai:transmit'], neededScope: 'ppai:transmit' } as const;
    const messages = (['SUSPENDED', 'ACTIVE'] as const).map(
      (status) =>
        checkAuthority(
          makeSubmission(),
          makeFacts({
            client: { ...client, status, scopes: status === 'ACTIVE' ? [] : client.scopes },
          }),
        )[0]?.message,
    );
    expect(messages).toEqual([
      'Your client is no longer active. Ask the regulator.',
      'Your client no longer holds the scope ppai:transmit. Ask the regulator.',
    ]);
  });

  it('accepts a pool code only if the insurer was a member on the issuance date', () => {
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

  it('does not use another pool than the given one', () => {
    const memberships = [makeMembership({ poolCode: 'POOL-SOUTH' })];
    expect(found({ memberships }, { poolCode: POOL.code })).toEqual([noMembership]);
    expect(found({ memberships }, { poolCode: 'NOBODY' })).toEqual([noMembership]);
  });

  it('reports all errors at once', () => {
    const submitter = makeOrganization('INS-DORMANT', { status: 'SUSPENDED' });
    expect(
      found({ submitter, issuingInsurer: BRAVO }, { ...forBravo, poolCode: POOL.code }),
    ).toEqual(['3 ERROR ORGANIZATION_NOT_ACTIVE null', notAuthorized, noMembership]);
  });
});
