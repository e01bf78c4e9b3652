import { z } from 'zod';
import { newId } from '../../../../shared/platform/new-id.ts';

describe('the id of a new row', () => {
  it('is a UUID of version 7, and no other row has it', () => {
    const ids = Array.from({ length: 10_000 }, newId);
    for (const id of ids) expect(z.uuidv7().safeParse(id).success).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has 74 random bits: every digit, and of the one that tells the variant four', () => {
    const ids = Array.from({ length: 10_000 }, newId);
    const digitsAt = (place: number) => new Set(ids.map((id) => id[place])).size;
    const random = [15, 16, 17, 20, 21, 22, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35];
    expect(random.map(digitsAt)).toEqual(random.map(() => 16));
    expect(digitsAt(19)).toBe(4);
  });

  it('begins with the millisecond, so that later rows come after earlier ones in an index', () => {
    const before = Date.now();
    const millisecond = Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16);
    expect(millisecond).toBeGreaterThanOrEqual(before);
    expect(millisecond).toBeLessThanOrEqual(Date.now());
  });
});
