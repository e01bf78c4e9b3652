import {
  firstContradiction,
  isLinearizable,
  type Operation,
  type Rules,
} from '../../faults/histories/linearizable.ts';

type Call = { readonly write: number } | 'read';

/** A register with one number, initially 0. */
const REGISTER: Rules<number, Call, number> = {
  initial: 0,
  step: (state, call) => {
    const after = call === 'read' ? state : call.write;
    return [{ state: after, isResult: (result) => result === after }];
  },
  keyOf: String,
};

function write(value: number, from: number, to: number): Operation<Call, number> {
  return { call: { write: value }, from, to, result: value };
}

function read(result: number, from: number, to: number): Operation<Call, number> {
  return { call: 'read', from, to, result };
}

function unknown(value: number, from: number): Operation<Call, number> {
  return { call: { write: value }, from, to: Infinity, result: undefined };
}

describe('a history is linearizable', () => {
  it.each<[string, Operation<Call, number>[]]>([
    ['without calls', []],
    ['one after another', [write(1, 0, 1), read(1, 2, 3), write(2, 4, 5), read(2, 6, 7)]],
    ['when a read during a write returns the old value', [write(1, 0, 10), read(0, 2, 3)]],
    ['when a read during a write returns the new value', [write(1, 0, 10), read(1, 2, 3)]],
    [
      'when a write begins at the time at which a read of its value ends',
      [write(1, 3, 10), read(1, 2, 3)],
    ],
    [
      'when concurrent writes are read in either order',
      [write(1, 0, 10), write(2, 0, 10), read(2, 11, 12), read(2, 13, 14)],
    ],
    [
      'when reads during two writes see both, one after the other',
      [write(1, 0, 10), write(2, 0, 10), read(2, 1, 3), read(1, 4, 9)],
    ],
    ['when a write of unknown outcome was never read', [unknown(1, 0), read(0, 5, 6)]],
    [
      'when a write of unknown outcome is read late',
      [unknown(1, 0), read(0, 5, 6), write(2, 7, 8), read(1, 20, 21)],
    ],
    ['with only unknown outcomes', [unknown(1, 0), unknown(2, 1)]],
  ])('%s', (_what, operations) => {
    expect(isLinearizable(operations, REGISTER)).toBe(true);
    expect(isLinearizable(operations.toReversed(), REGISTER)).toBe(true);
  });
});

describe('a history is not linearizable', () => {
  it.each<[string, Operation<Call, number>[]]>([
    ['when a value is read that was never written', [write(1, 0, 1), read(3, 2, 3)]],
    ['when a write that has ended is not read', [write(1, 0, 1), read(0, 2, 3)]],
    ['when a value is read before its write began', [read(1, 0, 1), write(1, 2, 3)]],
    [
      'when reads during a write return to the old value',
      [write(1, 0, 10), read(1, 2, 3), read(0, 4, 5)],
    ],
    [
      'when two clients see two concurrent writes in opposite order',
      [
        write(1, 0, 20),
        write(2, 0, 20),
        read(1, 1, 4),
        read(2, 5, 8),
        read(2, 1, 4),
        read(1, 5, 8),
        read(2, 9, 12),
      ],
    ],
    [
      'when a write of unknown outcome is read, and later the old value',
      [unknown(1, 0), read(1, 5, 6), read(0, 7, 8)],
    ],
    ['when it is read before it began', [read(1, 0, 1), unknown(1, 2)]],
  ])('%s', (_what, operations) => {
    expect(isLinearizable(operations, REGISTER)).toBe(false);
    expect(isLinearizable(operations.toReversed(), REGISTER)).toBe(false);
  });
});

it('the search backtracks from a choice that leads nowhere', () => {
  const coin: Rules<string, 'toss' | 'look', string> = {
    initial: 'none',
    step: (state, call) =>
      call === 'look'
        ? [{ state, isResult: (result) => result === state }]
        : ['heads', 'tails'].map((side) => ({ state: side, isResult: () => true })),
    keyOf: (state) => state,
  };
  const toss = { call: 'toss', from: 0, to: 1, result: 'tossed' } as const;
  const look = (result: string) => ({ call: 'look', from: 2, to: 3, result }) as const;
  expect(isLinearizable([toss, look('tails')], coin)).toBe(true);
  expect(isLinearizable([toss, look('heads')], coin)).toBe(true);
  expect(isLinearizable([toss, look('tails'), look('heads')], coin)).toBe(false);
});

it('a long history of many clients is decided', () => {
  const operations = Array.from({ length: 60 }, (_, round) => [
    ...Array.from({ length: 6 }, (_, client) => write(client + 1, round * 10, round * 10 + 5)),
    read((round % 6) + 1, round * 10 + 6, round * 10 + 7),
    read((round % 6) + 1, round * 10 + 6, round * 10 + 8),
  ]).flat();
  expect(isLinearizable(operations, REGISTER)).toBe(true);
  expect(isLinearizable([...operations, read(0, 900, 901)], REGISTER)).toBe(false);
});

it('the first contradiction contains no later calls', () => {
  const good = [write(1, 0, 1), read(1, 2, 3)];
  const bad = read(0, 4, 5);
  const under = write(2, 4.5, 9);
  const found = firstContradiction([...good, bad, under, read(2, 10, 11)], REGISTER);
  expect(found).toEqual([...good, bad, { ...under, to: Infinity, result: undefined }]);
});
