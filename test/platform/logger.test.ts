import { makeLogger } from '../../shared/platform/logger.ts';

function capture() {
  const lines: string[] = [];
  return {
    lines,
    logger: makeLogger({
      level: 'info',
      name: 'test',
      destination: { write: (line) => void lines.push(line) },
    }),
  };
}

describe('the logger', () => {
  it('writes one JSON object a line with name and time', () => {
    const { lines, logger } = capture();
    logger.info({ transmissionId: 't1' }, 'received');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      name: 'test',
      msg: 'received',
      transmissionId: 't1',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
  });

  it.each([
    [{ authorization: 'Bearer abc' }],
    [{ req: { headers: { authorization: 'Bearer abc' } } }],
    [{ body: { operator: { contactEmail: 'abc@example.org' } } }],
    [{ operator: { tin: 'abc' } }],
    [{ operator: { contactPhone: 'abc' } }],
    [{ client: { signingSecret: 'abc', clientSecret: 'abc', access_token: 'abc' } }],
  ])('never writes a secret or personal data (D22): %j', (details) => {
    const { lines, logger } = capture();
    logger.info(details, 'something');
    expect(lines[0]).not.toContain('abc');
    expect(lines[0]).toContain('[redacted]');
  });
});
