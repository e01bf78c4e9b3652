import type { NonceUse } from '../../api/edge/nonce.ts';
import { READ, useGate } from '../env/gate-under-test.ts';

const { api } = useGate();
const PLACES = 8;

/** Whoever reaches the nonce store waits there until the gate opens. */
function holdInGate() {
  const inGate: string[] = [];
  const waiting: (() => void)[] = [];
  let isOpen = false;
  const use = jest
    .spyOn(api().api.context.nonces, 'use')
    .mockImplementation(async (clientId): Promise<NonceUse> => {
      inGate.push(clientId);
      if (!isOpen) await new Promise<void>((pass) => waiting.push(pass));
      return 'fresh';
    });
  return {
    /** The client ids of all that have come so far. */
    inGate,
    open: () => {
      isOpen = true;
      for (const pass of waiting) pass();
      use.mockRestore();
    },
  };
}

/** Gives up with the test, as it looks only between other work. */
async function until(isSo: () => boolean): Promise<void> {
  for (let looks = 0; looks < 100_000 && !isSo(); looks += 1) await new Promise(setImmediate);
}

const EVERY_OTHER = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
] as const;

describe('turns in the gate', () => {
  // Nobody gives up its place for taking long, however slow the machine is.
  beforeEach(() => jest.useFakeTimers({ doNotFake: [...EVERY_OTHER] }));
  afterEach(() => jest.useRealTimers());

  it('leave an organization that sends a crowd of requests eight places while another one sends', async () => {
    const { inGate, open } = holdInGate();
    try {
      const alone = api().send('bravo', READ);
      await until(() => inGate.length === 1);
      const [bravo] = inGate;
      const crowd = Array.from({ length: PLACES + 4 }, () => api().send('alpha', READ));
      await until(() => inGate.length === 1 + PLACES);
      const another = api().send('bravo', READ);
      await until(() => inGate.length === 2 + PLACES);
      expect(inGate.filter((clientId) => clientId === bravo)).toHaveLength(2);
      expect(inGate).toHaveLength(2 + PLACES);
      open();
      const answers = await Promise.all([alone, another, ...crowd]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    } finally {
      open();
    }
  });
});
