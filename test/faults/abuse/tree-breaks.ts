import { NESTING_MAX } from '../../../api/http/body/read-json.ts';
import type { Random } from '../random.ts';
import { type Place, sizeOf, type Tree, token } from './json-tree.ts';
import { DATES, EMAILS, NAMES, NO_NAMES, NO_TEXTS, NO_TOKENS, NUMBERS, TEXTS } from './poison.ts';

export interface Break {
  readonly what: string;
  readonly mustBeRefused: boolean;
}

/** Changes the tree in place. */
type TreeBreak = (random: Random, place: Place) => Break;

const LETTERS_OF_ANY_LENGTH = new Set(['operatorType', 'region', 'vehicleType', 'denomination']);
const REPEATED_CHARACTERS_MAX = 2_000;
const LISTS_OF_500 = new Set(['vehicles', 'add', 'remove', 'update']);

export const TREE_BREAKS: readonly TreeBreak[] = [
  (random, place) => {
    place.replace(random.pick(otherTypes(place.tree)));
    return { what: `${place.name} of another type`, mustBeRefused: typeOf(place.tree) !== 'null' };
  },
  (_random, place) => {
    place.replace(token('null'));
    return { what: `${place.name} null`, mustBeRefused: false };
  },
  (_random, place) => {
    place.holder.members.splice(place.index, 1);
    return { what: `${place.name} left out`, mustBeRefused: false };
  },
  (random, place) => {
    const number = random.pick(NUMBERS);
    place.replace(token(number));
    const isNumber = typeOf(place.tree) === 'number' && Number.isFinite(Number(number));
    return { what: `${place.name} ${number.slice(0, 30)}`, mustBeRefused: !isNumber };
  },
  (random, place) => {
    const text = random.pick(poisonFor(place.name));
    place.replace(token(JSON.stringify(text)));
    const isText = typeOf(place.tree) === 'string' || typeOf(place.tree) === 'null';
    return { what: `${place.name} ${JSON.stringify(text).slice(0, 40)}`, mustBeRefused: !isText };
  },
  (random, place) => {
    const text = random.pick(NO_TOKENS);
    place.replace(token(text));
    return { what: `${place.name} no token ${text}`, mustBeRefused: false };
  },
  (random, place) => {
    const text = random.pick(NO_TEXTS);
    place.replace(token(text));
    return { what: `${place.name} no text ${text}`, mustBeRefused: true };
  },
  (random, { name, holder, tree }) => {
    const value = random.percent(50) ? tree : token(random.pick(['null', '1', '"x"', '[]', '{}']));
    holder.members.splice(random.below(holder.members.length + 1), 0, {
      name: `"${name}"`,
      value,
    });
    return { what: `${name} twice`, mustBeRefused: false };
  },
  (random, { holder }) => {
    const name = random.pick(NAMES);
    holder.members.unshift({ name: `"${name}"`, value: token(random.pick(['1', '{}', '"x"'])) });
    return { what: `a member called ${name}`, mustBeRefused: false };
  },
  (random, { holder }) => {
    const name = random.pick(NO_NAMES);
    const value = random.pick(['{"polluted":true}', 'null', '1']);
    holder.members.push({ name: `"${name}"`, value: token(value) });
    return { what: `a member called ${name}`, mustBeRefused: true };
  },
  (random, { holder }) => {
    const many = random.percent(90) ? 101 : 2_000;
    for (let index = 0; index < many; index += 1) {
      holder.members.push({ name: `"more${index}"`, value: token('1') });
    }
    return { what: `${many} more members`, mustBeRefused: false };
  },
  (random, place) => {
    const depth = random.percent(90) ? NESTING_MAX + 1 + random.below(300) : 50_000;
    const [open, close] = random.pick([
      ['[', ']'],
      ['{"a":', '}'],
    ] as const);
    place.replace(token(`${open.repeat(depth)}1${random.percent(80) ? close.repeat(depth) : ''}`));
    return { what: `${place.name} ${depth} levels deep`, mustBeRefused: true };
  },
  (random, place) => {
    const long = random.percent(95) ? random.pick([1_001, 2_000, 5_000]) : 200_000;
    place.replace(
      token(`"${random.pick(['a', '1', ' ', '\u00e9', '\ufdfa', '\\n']).repeat(long)}"`),
    );
    const isOfAnyLength = LETTERS_OF_ANY_LENGTH.has(place.name) || place.name === 'reasonCode';
    return { what: `${place.name} ${long} characters long`, mustBeRefused: !isOfAnyLength };
  },
  (random, place) => {
    const items = place.tree.kind === 'array' ? place.tree.items : [place.tree];
    const [first = token('{}')] = items;
    const item = sizeOf(first) < REPEATED_CHARACTERS_MAX ? first : token('{}');
    const many = random.percent(90) ? 501 : 4_000;
    place.replace({
      kind: 'array',
      items: Array.from({ length: many }, () => structuredClone(item)),
    });
    return { what: `${place.name} ${many} times`, mustBeRefused: LISTS_OF_500.has(place.name) };
  },
  (_random, { name, holder, index, tree }) => {
    const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
    holder.members[index] = { name: `"${other}"`, value: tree };
    return { what: `${name} as ${other}`, mustBeRefused: false };
  },
];

function poisonFor(name: string): readonly string[] {
  if (/date/i.test(name)) return DATES;
  return /email/i.test(name) ? [...EMAILS, ...TEXTS] : TEXTS;
}

function typeOf(tree: Tree): 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' {
  if (tree.kind !== 'token') return tree.kind;
  if (tree.text === 'null') return 'null';
  if (tree.text.startsWith('"')) return 'string';
  return tree.text === 'true' || tree.text === 'false' ? 'boolean' : 'number';
}

function otherTypes(tree: Tree): Tree[] {
  const own = typeOf(tree);
  const samples: Tree[] = [
    token('"1"'),
    token('1'),
    token('true'),
    { kind: 'array', items: [] },
    { kind: 'object', members: [] },
  ];
  const wrapped: Tree = { kind: 'array', items: [tree] };
  return [...samples, wrapped].filter((sample) => typeOf(sample) !== own);
}
