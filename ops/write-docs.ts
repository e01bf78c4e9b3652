import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeErrorsMarkdown } from '../shared/contract/error-docs.ts';
import { findProjectRoot } from '../shared/platform/project-root.ts';

// npm run docs: writes the documents that are generated from tables of the program.
writeFileSync(join(findProjectRoot(), 'docs/errors.md'), writeErrorsMarkdown());
