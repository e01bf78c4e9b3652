/** The two shapes of D1. */
export type Shape = 'embedded' | 'redis';

declare global {
  /** Set by the Jest project; undefined in projects without a shape. */
  var SHAPE: Shape | undefined;
}

/** Throws in projects without a shape. */
export function currentShape(): Shape {
  if (globalThis.SHAPE === undefined)
    throw new Error('this test runs in a project without a shape');
  return globalThis.SHAPE;
}
