import { clientBodyOf, clientChangesOf } from '../../../../console/pages/clients/client-values.ts';

describe('the fields of a client', () => {
  it('are sent in the types of the registry', () => {
    expect(
      clientBodyOf({
        name: ' Alpha ',
        scopes: 'ppai:read ppai:amend',
        ipAllowlist: '203.0.113.0/24\n 2001:db8::1,\n',
        rateLimitPerMinute: '240',
      }),
    ).toEqual({
      name: 'Alpha',
      scopes: ['ppai:read', 'ppai:amend'],
      ipAllowlist: ['203.0.113.0/24', '2001:db8::1'],
      rateLimitPerMinute: 240,
    });
  });

  it('are omitted when they did not change', () => {
    expect(clientChangesOf({ rateLimitPerMinute: '7' })).toEqual({ rateLimitPerMinute: 7 });
    expect(clientChangesOf({ ipAllowlist: '' })).toEqual({ ipAllowlist: [] });
  });
});
