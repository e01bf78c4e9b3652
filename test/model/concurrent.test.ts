import { explore } from './explore.ts';

explore('concurrent');
