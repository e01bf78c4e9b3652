import { successEnvelope } from '../../../shared/contract/machine/envelope.ts';
import { DATA_EXAMPLES } from '../../../shared/contract/openapi/examples.ts';
import { type Answer, checkAnswer } from './answer-matcher.ts';

const accepted = DATA_EXAMPLES.transmit?.[201]?.['accepted'] ?? {};
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'test-request',
  'x-ppai-environment': 'production',
  ratelimit: '"default";r=1;t=1',
  'ratelimit-policy': '"default";q=1;w=60',
};
const transmitted: Answer = {
  method: 'POST',
  path: '/api/v1/ppai/policies',
  status: 201,
  headers,
  body: successEnvelope(accepted),
};

describe('the answer matcher', () => {
  it('accepts a conforming answer', () => {
    expect(checkAnswer(transmitted)).toEqual([]);
    expect(checkAnswer({ ...transmitted, headers: new Headers(headers) })).toEqual([]);
  });

  it.each([
    ['an additional member', { ...accepted, secret: 1 }, 'additional properties'],
    ['a missing member', { ...accepted, flags: undefined }, 'must'],
    ['a value outside its vocabulary', { ...accepted, status: 'DONE' }, 'allowed values'],
    ['a timestamp without a zone', { ...accepted, receivedAt: '2026-10-01T00:00:00' }, 'date-time'],
  ])('finds %s', (_, data, words) => {
    const problems = checkAnswer({ ...transmitted, body: successEnvelope(data) });
    expect(problems.join()).toContain(words);
  });

  it('finds missing headers, and a status that the endpoint does not have', () => {
    const { ratelimit: _, ...fewer } = headers;
    expect(checkAnswer({ ...transmitted, headers: fewer }).join()).toContain(
      'RateLimit is missing',
    );
    expect(checkAnswer({ ...transmitted, status: 204 }).join()).toContain('is not documented');
  });

  it('finds an error code that does not belong to the status', () => {
    const error = { code: 'NOT_FOUND', message: 'Nothing is found by this test.' };
    const answer = { ...transmitted, status: 409, body: { success: false, data: null, error } };
    expect(checkAnswer(answer).join()).toContain('allowed values');
  });

  it('accepts only NOT_FOUND for unknown routes', () => {
    const error = { code: 'NOT_FOUND', message: 'Nothing is found by this test.' };
    const unknown = {
      ...transmitted,
      path: '/api/v1/nowhere?x=1',
      body: { success: false, data: null, error },
    };
    expect(checkAnswer({ ...unknown, status: 404 })).toEqual([]);
    expect(checkAnswer({ ...unknown, status: 405 })).toHaveLength(1);
  });

  it('distinguishes the search from reading a record', () => {
    const problems = checkAnswer({
      ...transmitted,
      method: 'GET',
      path: '/api/v1/ppai/policies/search?plateNumber=A1',
      status: 404,
    });
    expect(problems.join()).toContain('search 404 is not documented');
  });
});
