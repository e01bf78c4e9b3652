import { z } from 'zod';
import { newId } from '../../../../shared/platform/new-id.ts';

describe('the id of a new row', () => {
  it('is a unique UUID of version 7', () => {
    const ids = Array.from({ length: 10_000 }, newId);
    for (const id of ids) expect(z.uuidv7().safeParse(id).success).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sorts after all earlier ids of the process', () => {
    const ids = Array.from({ length: 10_000 }, newId);
    expect(ids.toSorted()).toEqual(ids);
  });

  it('starts with the millisecond, so that later rows come after earlier ones in an index', () => {
    const before = Date.now();
    const millisecond = Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16);
    expect(millisecond).toBeGreaterThanOrEqual(before);
    expect(millisecond).toBeLessThanOrEqual(Date.now());
  });
});
