import { withTimeout } from '../../../../shared/platform/with-timeout.ts';

const never = new Promise<never>(() => undefined);

describe('withTimeout', () => {
  it('resolves with the result of the work', async () => {
    await expect(withTimeout(60_000, Promise.resolve('all'))).resolves.toBe('all');
    await expect(withTimeout(60_000, Promise.reject(new Error('a fault')))).rejects.toThrow(
      'a fault',
    );
  });

  it('rejects when the work takes longer', async () => {
    await expect(withTimeout(10, never)).rejects.toThrow('it took longer than 10 ms');
  });

  it('ignores a later failure of the work', async () => {
    let fail = (_error: Error): void => undefined;
    const late = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    await expect(withTimeout(10, late)).rejects.toThrow('longer');
    fail(new Error('unheard'));
    await new Promise((done) => setImmediate(done));
  });
});
