import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';

export interface Instruction {
  readonly name: string;
  readonly text: string;
}

export interface BuiltImage {
  /** The folder that stands for the root of the last stage. */
  readonly root: string;
  /** The working folder of the last stage, below `root`. */
  readonly workingFolder: string;
  /** What ENV sets in the last stage. */
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

/** One per instruction, continued lines joined and comments left out. */
export function parseDockerfile(text: string): Instruction[] {
  return text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', ...rest] = line.split(/\s+/);
      return { name: name.toUpperCase(), text: rest.join(' ') };
    });
}

interface Stage {
  readonly root: string;
  workingFolder: string;
  environment: Record<string, string>;
  command: readonly string[];
}

/**
 * Performs the instructions of a Dockerfile without a container engine: each stage is a folder below `folder`, RUN runs in it with
 * this machine's Node and npm. `context` holds what a build may copy. Throws when an instruction fails or is not known here.
 */
export function performDockerfile(
  instructions: readonly Instruction[],
  { context, folder }: { readonly context: string; readonly folder: string },
): BuiltImage {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const { name, text } of instructions) {
    if (name === 'FROM') {
      const alias = / as (\S+)$/i.exec(text)?.[1] ?? 'final';
      stage = { root: join(folder, alias), workingFolder: '/', environment: {}, command: [] };
      mkdirSync(stage.root, { recursive: true });
      stages.set(alias, stage);
      continue;
    }
    if (stage === undefined) throw new Error(`${name} stands before any FROM`);
    perform(stage, { name, text }, { context, stages });
  }
  if (stage === undefined) throw new Error('the Dockerfile has no stage');
  return { ...stage, workingFolder: join(stage.root, stage.workingFolder) };
}

function perform(
  stage: Stage,
  { name, text }: Instruction,
  places: { readonly context: string; readonly stages: ReadonlyMap<string, Stage> },
): void {
  switch (name) {
    case 'WORKDIR':
      stage.workingFolder = text;
      mkdirSync(join(stage.root, text), { recursive: true });
      return;
    case 'ENV':
      stage.environment = { ...stage.environment, ...parsePairs(text) };
      return;
    case 'CMD':
      stage.command = JSON.parse(text) as string[];
      return;
    case 'COPY':
      copy(stage, text, places);
      return;
    case 'RUN':
      run(text, join(stage.root, stage.workingFolder));
      return;
    case 'USER':
    case 'EXPOSE':
      return;
    default:
      throw new Error(`this check does not know the instruction ${name}`);
  }
}

function parsePairs(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(/\s+/).map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name, value.join('=')];
    }),
  );
}

/** As Docker does: a folder's content, and a file into a target that ends with a slash. */
function copy(
  stage: Stage,
  text: string,
  { context, stages }: { readonly context: string; readonly stages: ReadonlyMap<string, Stage> },
): void {
  const words = text.split(/\s+/);
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
  const target = words.pop() ?? '';
  const sourceRoot = from === undefined ? context : stages.get(from)?.root;
  if (sourceRoot === undefined) throw new Error(`COPY names the unknown stage ${from}`);
  const to = join(stage.root, posix.resolve(stage.workingFolder, target));
  for (const word of words) {
    const source = join(sourceRoot, word);
    if (!existsSync(source)) throw new Error(`COPY finds no ${word}`);
    const isInto = !statSync(source).isDirectory() && target.endsWith('/');
    const place = isInto ? join(to, basename(word)) : to;
    mkdirSync(dirname(place), { recursive: true });
    cpSync(source, place, { recursive: true, verbatimSymlinks: true });
  }
}

function run(command: string, cwd: string): void {
  const { status, error } = spawnSync('sh', ['-ec', command], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`RUN ${command} ended with ${status}`);
}
