import { join } from 'node:path';
import { findProjectRoot } from '../../shared/platform/project-root.ts';
import { writeCollections } from './write-collections.ts';

// npm run collections: writes the collections for Bruno and Postman into dist/collections/.
const folder = join(findProjectRoot(), 'dist', 'collections');
writeCollections(folder);
process.stdout.write(`${folder}\n`);
