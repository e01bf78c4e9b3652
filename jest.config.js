/** Packages that ship no CommonJS. */
const ESM_ONLY = [
  'canonicalize',
  'is-network-error',
  'p-limit',
  'p-retry',
  'temporal-polyfill',
  'uuid',
  'yocto-queue',
];

const common = {
  testEnvironment: '<rootDir>/test/env/leak-checking-environment.ts',
  transform: {
    '\\.[jt]s$': [
      '@swc/jest',
      {
        swcrc: false,
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${ESM_ONLY.join('|')})/)`],
  moduleNameMapper: {
    // Its exports name no entry for require.
    '^canonicalize$': '<rootDir>/node_modules/canonicalize/lib/canonicalize.js',
  },
  modulePathIgnorePatterns: ['<rootDir>/(dist|\\.data|\\.cache|coverage)/'],
};

const servers = {
  globalSetup: '<rootDir>/test/env/jest-global-setup.ts',
  globalTeardown: '<rootDir>/test/env/jest-global-teardown.ts',
};

const options = {
  // One more than the cores of the smallest machine meant: each waits for its servers now and then.
  maxWorkers: 3,
  // Ends what hangs; how fast a machine is decides nothing.
  testTimeout: 120_000,
  reporters: ['default', '<rootDir>/test/env/closing-line-reporter.js'],
};

/** What needs no server: no process, database or Redis is started. */
const pure = {
  ...common,
  displayName: 'pure',
  testMatch: ['<rootDir>/test/{pure,bench}/**/*.test.ts'],
};

/** What may need a server, but behaves the same in both shapes. */
const once = {
  ...common,
  ...servers,
  displayName: 'once',
  testMatch: ['<rootDir>/test/integration/once/**/*.test.ts'],
};

/** Every other test runs in both shapes of D1. */
const shaped = (shape) => ({ ...common, ...servers, globals: { SHAPE: shape } });

const inBothShapes = ['embedded', 'redis'].flatMap((shape) => [
  {
    ...shaped(shape),
    displayName: shape,
    testMatch: ['<rootDir>/test/integration/**/*.test.ts'],
    testPathIgnorePatterns: ['<rootDir>/test/integration/(once|abuse)/'],
  },
  {
    ...shaped(shape),
    displayName: `${shape}-long`,
    testMatch: ['<rootDir>/test/{integration/abuse,model,races,console}/**/*.test.ts'],
    // What a page looks like does not depend on the shape.
    testPathIgnorePatterns: shape === 'redis' ? ['<rootDir>/test/console/(.*/)?accessibility'] : [],
  },
]);

// `npm test` runs the projects pure, once and embedded; `npm run test:all` runs all of them.
export default { ...options, projects: [pure, once, ...inBothShapes] };
