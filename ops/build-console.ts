import { parseArgs } from 'node:util';
import { consoleFolder } from '../api/console/console-folder.ts';
import { buildConsole } from './console/build-console.ts';
import { weighConsole } from './console/size-budget.ts';
import { watchConsole } from './console/watch-console.ts';

// npm run console: builds the console for programs that run from the sources, and prints what it weighs. With --watch it builds again
// after each change: a registry that runs serves what was built last, under the policy of production.
const { watch } = parseArgs({ options: { watch: { type: 'boolean', default: false } } }).values;
const print = (text: string): void => void process.stdout.write(`${text}\n`);
if (watch) await watchConsole(print);
await buildConsole(consoleFolder());
print(weighConsole(consoleFolder()).lines.join('\n'));
