import { inBothShapes, options, pure, shaped, unshaped } from './jest.projects.js';

export default {
  ...options,
  projects: [pure, unshaped, ...inBothShapes(shaped)],
};
