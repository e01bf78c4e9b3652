import { makeLogger } from '../../../../shared/platform/logger.ts';

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
  it('writes one JSON object per line with name and time', () => {
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
    [{ vehicles: [{ owner: { phone: 'abc' } }] }],
    [{ err: Object.assign(new Error('failed'), { token: 'abc', request: { tin: 'abc' } }) }],
    [{ response: { headers: { 'set-cookie': 'abc' } } }],
    [{ client: { signingSecret: 'abc', clientSecret: 'abc', access_token: 'abc' } }],
  ])('never writes a secret or personal data (D22): %j', (details) => {
    const { lines, logger } = capture();
    logger.info(details, 'something');
    expect(lines[0]).not.toContain('abc');
    expect(lines[0]).toContain('[redacted]');
  });

  it('writes no secret of a child logger', () => {
    const { lines, logger } = capture();
    logger.child({ token: 'abc', requestId: 'r1' }).info('something');
    expect(lines[0]).not.toContain('abc');
    expect(lines[0]).toContain('r1');
  });

  it('keeps messages of errors, and dates', () => {
    const { lines, logger } = capture();
    logger.warn({ err: new Error('what failed'), at: new Date(0), depth: { of: [1, null] } }, 'x');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      err: { type: 'Error', message: 'what failed' },
      at: '1970-01-01T00:00:00.000Z',
      depth: { of: [1, null] },
    });
  });

  it('terminates for cyclic objects', () => {
    const { lines, logger } = capture();
    const round: Record<string, unknown> = {};
    round['round'] = round;
    logger.info({ round }, 'something');
    expect(lines).toHaveLength(1);
  });
});
