import type { ApiContext } from '../../../../api/context.ts';
import { HELD_MS } from '../../../../shared/platform/turns.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';

const PLACES = 8;
/** More than are taken together at any step. */
const CROWD = 120;
const TIMEOUT_MS = 60_000;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0 });
});
afterAll(() => stack.stop());

/** Nobody gives up its place for taking long, however slow the machine is. */
beforeEach(() => {
  const { setTimeout } = globalThis;
  jest
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((run, ms, ...more) =>
      setTimeout(run, ms === HELD_MS ? TIMEOUT_MS : ms, ...more),
    );
});
afterEach(() => jest.restoreAllMocks());

const INSURERS = { alpha: 'INS-ALPHA', bravo: 'INS-BRAVO' } as const;

const send = (client: keyof typeof INSURERS) =>
  stack.post(
    client,
    '/ppai/policies',
    makeBody({ issuingInsurerCode: INSURERS[client] }),
    'respond-async',
  );

/** Where requests wait until they are let go, and whose they are in the order in which they came. */
interface Held {
  readonly from: string[];
  letGo(): void;
}

function holdAtNonces({ nonces }: ApiContext): Held {
  const { from, wait, letGo } = makeHold();
  const use = nonces.use;
  const held = jest.spyOn(nonces, 'use').mockImplementation(async (clientId, ...more) => {
    await wait(clientId);
    return use(clientId, ...more);
  });
  return { from, letGo: () => letGo(held) };
}

function holdAtReceipt({ roundTrips }: ApiContext): Held {
  const { from, wait, letGo } = makeHold();
  const { receive } = roundTrips;
  const held = jest.spyOn(roundTrips, 'receive').mockImplementation(async (received) => {
    await wait(received.organizationId);
    return receive(received);
  });
  return { from, letGo: () => letGo(held) };
}

function makeHold() {
  const from: string[] = [];
  const waiting: (() => void)[] = [];
  let isOpen = false;
  return {
    from,
    wait: async (whose: string) => {
      from.push(whose);
      if (!isOpen) await new Promise<void>((go) => waiting.push(go));
    },
    letGo: (held: jest.SpyInstance) => {
      isOpen = true;
      for (const go of waiting) go();
      held.mockRestore();
    },
  };
}

/** Ends without it, too, for the assertions after it to tell. */
async function until(isSo: () => boolean): Promise<void> {
  for (let looks = 0; looks < 100_000 && !isSo(); looks += 1) await new Promise(setImmediate);
}

// Before the others: after two have met nobody is alone for a while.
it('are nobody’s to wait for who is alone', async () => {
  const { from, letGo } = holdAtNonces(stack.api.context);
  try {
    const crowd = Array.from({ length: CROWD }, () => send('alpha'));
    await until(() => from.length === CROWD);
    expect(from).toHaveLength(CROWD);
    letGo();
    const answers = await Promise.all(crowd);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
  } finally {
    letGo();
  }
});

describe.each([
  ['the gate', holdAtNonces],
  ['the commit of the receipt', holdAtReceipt],
])('turns up to %s', (_where, hold) => {
  it('leave an organization that sends a crowd of requests eight places while another one sends', async () => {
    const { from, letGo } = hold(stack.api.context);
    try {
      const alone = send('bravo');
      await until(() => from.length === 1);
      const [bravo] = from;
      const crowd = Array.from({ length: PLACES + 4 }, () => send('alpha'));
      await until(() => from.length === 1 + PLACES);
      const another = send('bravo');
      await until(() => from.length === 2 + PLACES);
      expect(from.filter((whose) => whose === bravo)).toHaveLength(2);
      expect(from).toHaveLength(2 + PLACES);
      letGo();
      const answers = await Promise.all([alone, another, ...crowd]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    } finally {
      letGo();
    }
  });
});
