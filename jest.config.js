import { inBothShapes, options, pure, unshaped } from './jest.projects.js';

export default {
  ...options,
  projects: [
    pure,
    unshaped,
    ...inBothShapes({
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: [
        '<rootDir>/test/(architecture|contract|domain|vectors|platform|ops|bench|faults)/',
      ],
    }),
  ],
};
