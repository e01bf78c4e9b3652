/**
 * How long a test waits for what must come, ms: what hasn't come by then never comes, even on a machine that gives a tenth
 * of itself. Below the time that a test has (jest.projects.js), so that it can say what it waited for.
 */
export const PATIENCE_MS = 100_000;
