import { withTimeout } from '../../../../shared/platform/with-timeout.ts';

const never = new Promise<never>(() => undefined);

describe('what is waited for within a time', () => {
  it('brings what it brings', async () => {
    await expect(withTimeout(60_000, Promise.resolve('all'))).resolves.toBe('all');
    await expect(withTimeout(60_000, Promise.reject(new Error('a fault')))).rejects.toThrow(
      'a fault',
    );
  });

  it('is given up when it takes longer', async () => {
    await expect(withTimeout(10, never)).rejects.toThrow('it took longer than 10 ms');
  });

  it('may fail later, when nobody waits for it any more', async () => {
    let fail = (_error: Error): void => undefined;
    const late = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    await expect(withTimeout(10, late)).rejects.toThrow('longer');
    fail(new Error('unheard'));
    await new Promise((done) => setImmediate(done));
  });
});
