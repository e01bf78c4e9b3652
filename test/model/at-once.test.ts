import { explore } from './explore.ts';

explore('simultaneous');
