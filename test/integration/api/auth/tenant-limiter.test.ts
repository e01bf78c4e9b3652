import type { ApiContext } from '../../../../api/context.ts';
import { SLOT_TIMEOUT_MS, TENANT_SLOTS } from '../../../../api/throttle/tenant-limiter.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';

/** More than any loader puts into one batch. */
const MANY = 120;
const TIMEOUT_MS = 60_000;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0 });
});
afterAll(() => stack.stop());

/** Prevents slots from timing out, however slow the machine is. */
beforeEach(() => {
  const { setTimeout } = globalThis;
  jest
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((run, ms, ...more) =>
      setTimeout(run, ms === SLOT_TIMEOUT_MS ? TIMEOUT_MS : ms, ...more),
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

/** A step at which requests wait until the test releases them. */
interface Held {
  /** The client or organization of each request that has reached the step, in order. */
  readonly senders: string[];
  release(): void;
}

function holdAtNonces({ nonces }: ApiContext): Held {
  const { senders, wait, release } = makeHold();
  const use = nonces.use;
  const held = jest.spyOn(nonces, 'use').mockImplementation(async (clientId, ...more) => {
    await wait(clientId);
    return use(clientId, ...more);
  });
  return { senders, release: () => release(held) };
}

function holdAtReceipt({ loaders }: ApiContext): Held {
  const { senders, wait, release } = makeHold();
  const { receive } = loaders;
  const held = jest.spyOn(loaders, 'receive').mockImplementation(async (received) => {
    await wait(received.organizationId);
    return receive(received);
  });
  return { senders, release: () => release(held) };
}

function makeHold() {
  const senders: string[] = [];
  const waiting: (() => void)[] = [];
  let isOpen = false;
  return {
    senders,
    wait: async (sender: string) => {
      senders.push(sender);
      if (!isOpen) await new Promise<void>((proceed) => waiting.push(proceed));
    },
    release: (held: jest.SpyInstance) => {
      isOpen = true;
      for (const proceed of waiting) proceed();
      held.mockRestore();
    },
  };
}

/** Gives up after many checks. The assertions that follow then fail. */
async function until(isMet: () => boolean): Promise<void> {
  for (let checks = 0; checks < 100_000 && !isMet(); checks += 1) await new Promise(setImmediate);
}

// This test comes first: after two tenants overlap, a lone tenant is limited for a while.
it('a lone tenant is not limited', async () => {
  const { senders, release } = holdAtNonces(stack.api.context);
  try {
    const requests = Array.from({ length: MANY }, () => send('alpha'));
    await until(() => senders.length === MANY);
    expect(senders).toHaveLength(MANY);
    release();
    const answers = await Promise.all(requests);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
  } finally {
    release();
  }
});

describe.each([
  ['the nonce is recorded', holdAtNonces],
  ['the row is committed', holdAtReceipt],
])('until %s', (_where, hold) => {
  it('a tenant with many requests has eight slots while another tenant sends', async () => {
    const { senders, release } = hold(stack.api.context);
    try {
      const alone = send('bravo');
      await until(() => senders.length === 1);
      const [bravo] = senders;
      const requests = Array.from({ length: TENANT_SLOTS + 4 }, () => send('alpha'));
      await until(() => senders.length === 1 + TENANT_SLOTS);
      const another = send('bravo');
      await until(() => senders.length === 2 + TENANT_SLOTS);
      expect(senders.filter((sender) => sender === bravo)).toHaveLength(2);
      expect(senders).toHaveLength(2 + TENANT_SLOTS);
      release();
      const answers = await Promise.all([alone, another, ...requests]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    } finally {
      release();
    }
  });
});
