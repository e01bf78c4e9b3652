/** Packages that ship no CommonJS. */
const ESM_ONLY = ['ky', 'canonicalize', 'p-limit', 'temporal-polyfill', 'yocto-queue'];

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

export const options = {
  // One more than the cores of the smallest machine meant: each waits for its servers now and then.
  maxWorkers: 3,
  // Ends what hangs; how fast a machine is decides nothing.
  testTimeout: 120_000,
  reporters: ['default', '<rootDir>/test/env/closing-line-reporter.js'],
};

// Folders of `test`, and files there without their ending.

const PURE = [
  'abuse/patterns/',
  'api/caller-address',
  'architecture/',
  'bench/',
  'client/',
  'contract/',
  'domain/',
  'faults/histories/',
  'vectors/',
];
const UNSHAPED = [
  'platform/',
  'ops/',
  'abuse/slow-sockets',
  'api/canonical-order',
  'api/edge-prefer',
  'api/listen',
  'api/read-json',
  'api/request-hash',
  'races/claims',
  'store/bind-message',
  'store/keys/',
  'store/covers-migration',
  'store/related-records-migration',
  'store/removed-days-migration',
  'store/large-parameters',
  'store/planner-statistics',
  'store/raw-db',
  'store/registered-vehicles',
  'store/transmission-lists',
  'store/waiting',
  'worker/batches-in-any-order',
];
/** Run by a command of their own. */
const APART = ['faults/'];

/** What needs no server. */
export const pure = {
  ...common,
  displayName: 'pure',
  testMatch: testsIn(PURE),
};

/** What may need a server but is the same in both shapes. */
export const unshaped = {
  ...common,
  ...servers,
  displayName: 'unshaped',
  testMatch: testsIn(UNSHAPED),
};

/** The same files in both shapes of D1. */
export function inBothShapes(match) {
  return ['embedded', 'redis'].map((shape) => ({
    ...common,
    ...servers,
    displayName: shape,
    globals: { SHAPE: shape },
    ...match,
  }));
}

/** Every test that is of no other project. */
export const shaped = {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: [...PURE, ...UNSHAPED, ...APART].map((place) =>
    place.endsWith('/') ? `<rootDir>/test/${place}` : `<rootDir>/test/${place}\\.test\\.ts$`,
  ),
};

function testsIn(places) {
  return places.map((place) =>
    place.endsWith('/') ? `<rootDir>/test/${place}**/*.test.ts` : `<rootDir>/test/${place}.test.ts`,
  );
}
