import { useProbeApi, VALID_BODY } from '../../../env/api/probe-api.ts';

const { transmit, expectFindings } = useProbeApi();
const withText = (text: string) =>
  JSON.stringify({ ...VALID_BODY, operator: { name: 'X' } }).replace('"X"', text);
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('a body that is not an acceptable JSON object', () => {
  it.each<[string, string | Buffer]>([
    ['empty', ''],
    ['white space', '  \n '],
    ['broken', '{"externalTransactionId": "x"'],
    ['followed by more', `${JSON.stringify(VALID_BODY)}x`],
    ['with a comment', '{/* */}'],
    ['with a trailing comma', '{"a":1,}'],
    ['with NaN', '{"a":NaN}'],
    ['single-quoted', "{'a':1}"],
    ['an array', '[]'],
    ['a string', '"text"'],
    ['a number', '1'],
    ['null', 'null'],
    [
      'with a byte order mark',
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(JSON.stringify(VALID_BODY))]),
    ],
    ['in UTF-16', Buffer.from(JSON.stringify(VALID_BODY), 'utf16le')],
    [
      'with bytes that are not UTF-8',
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    ],
    [
      'with surrogates encoded as UTF-8',
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    ],
    ['with a raw NUL', '{"a":"\0"}'],
    ['with a raw line break in a string', '{"a":"\n"}'],
    ['nested 33 levels deep', nested(33)],
    ['nested 100,000 levels deep', nested(100_000)],
    ['of 100,000 opening brackets', '['.repeat(100_000)],
    ['of 100,000 opening brackets in an object', `{"a":${'['.repeat(100_000)}`],
    ['of too many members', `{"a":[${'1,'.repeat(100_001)}1]}`],
  ])('is refused when it is %s', async (_what, body) => {
    expectFindings(await transmit(body), [null]);
  });
});

describe('a text or name that can be neither hashed nor stored', () => {
  it.each([
    ['a NUL', withText('"a\\u0000b"'), 'operator.name'],
    ['a lone high surrogate', withText('"a\\ud800b"'), 'operator.name'],
    ['a lone low surrogate', withText('"\\udc00"'), 'operator.name'],
    ['surrogates in the wrong order', withText('"\\udc00\\ud800"'), 'operator.name'],
    ['a number beyond all bounds', withText('1e999'), 'operator.name'],
    ['a NUL in a member the schema does not know', '{"more":{"deep":["\\u0000"]}}', 'more.deep[0]'],
    ['a NUL in a name', '{"a\\u0000b":1}', '(unprintable)'],
    ['a lone surrogate in a name', '{"\\ud800":1}', '(unprintable)'],
    ['__proto__', '{"__proto__":{"isAdmin":true}}', '__proto__'],
    ['__proto__ in disguise', '{"operator":{"\\u005f_proto__":{}}}', 'operator.__proto__'],
    ['__proto__ in a vehicle', '{"vehicles":[{},{"__proto__":null}]}', 'vehicles[1].__proto__'],
  ])('is refused with its path: %s', async (_what, body, field) => {
    expectFindings(await transmit(body), [field]);
  });
});

describe('a repeated member', () => {
  it.each([
    ['at the top', '{"poolCode":"A","policy":{},"poolCode":"B"}', ['poolCode']],
    ['with the same value', '{"poolCode":"A","poolCode":"A"}', ['poolCode']],
    ['in an object', '{"operator":{"name":"A","tin":"1","name":"B"}}', ['operator.name']],
    ['in a vehicle', '{"vehicles":[{},{"vin":"1","vin":"2"}]}', ['vehicles[1].vin']],
    ['written in another way', '{"poolCode":"A","pool\\u0043ode":"B"}', ['poolCode']],
    ['unknown to the schema', '{"more":{"a":[1,{"b":1,"b":2}]}}', ['more.a[1].b']],
    ['with objects as values', '{"more":{"a":{"b":1}},"more":{"a":{"c":1}}}', ['more']],
    ['of a name that is not shown', '{"a b":1,"a b":2}', ['(unprintable)']],
    ['of an empty name', '{"":1,"":2}', ['(unprintable)']],
    ['at several places', '{"b":{"c":1,"c":2,"c":3},"a":1,"a":2}', ['b.c', 'a']],
  ])('is refused with its path: %s', async (_what, body, fields) => {
    expectFindings(await transmit(body), fields);
  });

  it('is not the same name in several objects or as a value', async () => {
    const text = '"poolCode\\",\\"poolCode\\":"';
    const body = JSON.stringify({ ...VALID_BODY, poolCode: '"poolCode":', remarks: {} });
    expect((await transmit(body)).status).toBe(200);
    expect(
      (await transmit(body.replace('"remarks":{}', `"more":[${text},{"a":{"a":[]}}]`))).status,
    ).toBe(200);
  });
});

it('a body changes no prototype', async () => {
  await transmit('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
  expect('polluted' in {}).toBe(false);
});
