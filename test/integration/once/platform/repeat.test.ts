import { repeat } from '../../../../shared/platform/repeat.ts';

const fail = (error: unknown) => {
  throw error;
};

describe('repeat', () => {
  it('starts at once, repeats, and never runs two passes at a time', async () => {
    let running = 0;
    let most = 0;
    let passes = 0;
    await new Promise<void>((done, reject) => {
      const repeater = repeat(
        async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((next) => setTimeout(next, 5));
          running -= 1;
          passes += 1;
          if (passes === 4) repeater.stop().then(done, reject);
        },
        { everyMs: 1, onError: fail },
      );
    });
    expect(most).toBe(1);
  });

  it('reports a pass that throws and continues', async () => {
    const errors: unknown[] = [];
    let passes = 0;
    await new Promise<void>((done) => {
      const repeater = repeat(
        async () => {
          passes += 1;
          if (passes === 1) throw new Error('database gone');
          void repeater.stop().then(done);
        },
        { everyMs: 1, onError: (error) => errors.push(error) },
      );
    });
    expect(errors).toEqual([new Error('database gone')]);
    expect(passes).toBe(2);
  });

  it('waits for the running pass on stop, and starts no other', async () => {
    let finish: () => void = () => undefined;
    let passes = 0;
    const repeater = repeat(
      async () => {
        passes += 1;
        await new Promise<void>((done) => {
          finish = done;
        });
      },
      { everyMs: 1, onError: fail },
    );
    let stopped = false;
    const stopping = repeater.stop().then(() => {
      stopped = true;
    });
    await new Promise((next) => setImmediate(next));
    expect(stopped).toBe(false);
    finish();
    await stopping;
    expect(passes).toBe(1);
  });

  it('ends a long pause on stop', async () => {
    await repeat(async () => undefined, { everyMs: 3_600_000, onError: fail }).stop();
  });
});
