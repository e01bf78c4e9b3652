/** The two shapes of D1. */
export type Shape = 'embedded' | 'redis';

declare global {
  /** Set by the Jest project a test runs in; undefined in the projects that have no shape. */
  var SHAPE: Shape | undefined;
}

/** Throws outside the two projects that have a shape. */
export function currentShape(): Shape {
  if (globalThis.SHAPE === undefined)
    throw new Error('this test runs in a project without a shape');
  return globalThis.SHAPE;
}
