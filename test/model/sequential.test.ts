import { explore } from './explore.ts';

explore('sequential');
