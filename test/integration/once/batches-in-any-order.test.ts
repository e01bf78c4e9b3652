import fc from 'fast-check';
import {
  type Batch,
  EXPECTED_MS,
  GAP_MS,
  makeBatchesInHand,
  type Time,
} from '../../../worker/batches-in-hand.ts';

const BATCHES_MAX = 2;

/** What may happen next: one of what is under way ends, after so long. */
interface Happening {
  readonly which: number;
  readonly afterMs: number;
}

interface Asked {
  readonly batch: Batch | undefined;
  readonly beside: Batch | undefined;
}

const batch = fc.option(
  fc.record<Batch>({
    isPart: fc.boolean(),
    hasSmallShare: fc.boolean(),
    organizationIds: fc.constantFrom(['large'], ['small']),
  }),
  { nil: undefined },
);
const asked = fc.array(fc.record<Asked>({ batch, beside: batch }), {
  minLength: 2,
  maxLength: 6,
});
const happenings = fc.array(
  fc.record<Happening>({ which: fc.nat(9), afterMs: fc.constantFrom(0, 1, GAP_MS, EXPECTED_MS) }),
  { maxLength: 40 },
);

/** Every look, settlement and pause under way, to be ended one by one, and what became of those who asked. */
function makeWorld() {
  let nowMs = 0;
  const underWay: (() => void)[] = [];
  const lasts = () => new Promise<void>((end) => underWay.push(end));
  const time: Time = { now: () => nowMs, pass: lasts };
  const batches = makeBatchesInHand(BATCHES_MAX, time);
  const world = { handled: 0, inHand: 0, inHandMax: 0, looks: 0, looksMax: 0 };
  return {
    world,
    ask: ({ batch, beside }: Asked): void => {
      let isBeside = true;
      const taking = async (except: readonly string[]) => {
        world.looks += 1;
        world.looksMax = Math.max(world.looksMax, world.looks);
        await lasts();
        world.looks -= 1;
        if (except.length === 0) return { batch, isBeside: false };
        const found = isBeside ? beside : undefined;
        isBeside = false;
        return { batch: found, isBeside: true };
      };
      const settling = async (taken: { isBeside: boolean }) => {
        world.inHand += taken.isBeside ? 0 : 1;
        world.inHandMax = Math.max(world.inHandMax, world.inHand);
        await lasts();
        world.inHand -= taken.isBeside ? 0 : 1;
      };
      void batches.handle(taking, settling).then(() => {
        world.handled += 1;
      });
    },
    happen: async ({ which, afterMs }: Happening): Promise<boolean> => {
      // What follows from the last one has begun by then.
      await new Promise((done) => setImmediate(done));
      nowMs += afterMs;
      const [end] = underWay.splice(which % Math.max(underWay.length, 1), 1);
      end?.();
      return end !== undefined;
    },
  };
}

it('batches in hand end, whatever ends first and however late, and are never more at a time than may be', async () => {
  await fc.assert(
    fc.asyncProperty(asked, happenings, async (those, order) => {
      const { world, ask, happen } = makeWorld();
      for (const one of those) ask(one);
      for (const happening of order) await happen(happening);
      const last: Happening = { which: 0, afterMs: 1 };
      while (await happen(last));
      expect(world).toMatchObject({ handled: those.length, looks: 0, inHand: 0 });
      expect(world.looksMax).toBe(1);
      expect(world.inHandMax).toBeLessThanOrEqual(BATCHES_MAX);
    }),
    { numRuns: 2_000 },
  );
});
