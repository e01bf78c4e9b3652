import { judgeSignatures, judgeVulnerabilities } from '../../supply-chain/judge-audit.ts';

const counted = (counts: object) => JSON.stringify({ metadata: { vulnerabilities: counts } });

describe('the audit of dependencies', () => {
  it.each([
    [counted({ low: 3, moderate: 2, high: 0, critical: 0 }), false],
    [counted({ high: 1, critical: 0 }), true],
    [counted({ high: 0, critical: 1 }), true],
    [JSON.stringify({ statusCode: 405, error: {} }), false],
    [JSON.stringify({ error: { code: 'ENOTFOUND' } }), false],
    ['', false],
  ])('of %s fails: %s', (output, isBad) => {
    expect(judgeVulnerabilities(output).isBad).toBe(isBad);
  });

  it.each([
    [JSON.stringify({ invalid: [], missing: [{}] }), false],
    [JSON.stringify({ invalid: [{ name: 'pg', version: '1.0.0' }], missing: [] }), true],
    [JSON.stringify({ error: { code: 'ENOTFOUND' } }), false],
    ['', false],
  ])('of signatures, %s, fails: %s', (output, isBad) => {
    expect(judgeSignatures(output).isBad).toBe(isBad);
  });

  it('states why there was no answer', () => {
    expect(judgeVulnerabilities('{"statusCode":405}').line).toContain('(405)');
    expect(judgeSignatures('').line).toContain('(none in time)');
  });
});
