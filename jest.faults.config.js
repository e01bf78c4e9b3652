import { inBothShapes, options } from './jest.projects.js';

/** Processes killed and servers emptied under load: minutes, not seconds, so apart from the tests of every change. */
export default {
  ...options,
  maxWorkers: 1,
  testTimeout: 300_000,
  projects: inBothShapes({ testMatch: ['<rootDir>/test/faults/**/*.test.ts'] }),
};
