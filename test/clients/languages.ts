import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findProjectRoot } from '../../shared/platform/project-root.ts';

const CLIENTS = join(findProjectRoot(), 'client');
const DRIVERS = join(findProjectRoot(), 'test', 'clients', 'drivers');

/** A single-file client, and the driver that lets the tests use it. */
export interface Language {
  readonly name: string;
  /** The word behind the fences of its examples in documents. */
  readonly fence: string;
  /** The programs that it needs. */
  readonly programs: readonly string[];
  /** Debian's package with these programs. */
  readonly debianPackage: string;
  /** A command that builds client and driver into `folder`, if the language needs one. */
  readonly build?: (folder: string) => readonly string[];
  /** The command of the driver. */
  readonly command: (folder: string) => readonly string[];
  /** The client's file. */
  readonly client: string;
  /** The file that an integrator makes of the examples in `client/README.md`, and the commands that run it. */
  readonly example: {
    readonly file: string;
    readonly commands: readonly (readonly string[])[];
  };
}

export const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    fence: 'python',
    programs: ['python3'],
    debianPackage: 'python3',
    command: () => ['python3', join(DRIVERS, 'drive.py'), join(CLIENTS, 'python')],
    client: join(CLIENTS, 'python', 'ppai.py'),
    example: { file: 'first.py', commands: [['python3', 'first.py']] },
  },
  {
    name: 'PHP',
    fence: 'php',
    programs: ['php'],
    debianPackage: 'php-cli',
    command: () => ['php', join(DRIVERS, 'drive.php'), join(CLIENTS, 'php')],
    client: join(CLIENTS, 'php', 'ppai.php'),
    example: { file: 'first.php', commands: [['php', 'first.php']] },
  },
  {
    name: 'Java',
    fence: 'java',
    programs: ['javac', 'java'],
    debianPackage: 'default-jdk-headless',
    build: (folder) => [
      'javac',
      '-encoding',
      'UTF-8',
      '-Xlint:all',
      '-Werror',
      '-d',
      folder,
      join(CLIENTS, 'java', 'Ppai.java'),
      join(DRIVERS, 'Drive.java'),
    ],
    command: (folder) => ['java', '-cp', folder, 'Drive'],
    client: join(CLIENTS, 'java', 'Ppai.java'),
    example: {
      file: 'First.java',
      commands: [
        ['javac', 'First.java', 'Ppai.java'],
        ['java', 'First'],
        ['java', 'Mirror'],
      ],
    },
  },
];

/** The programs that are not installed. */
export function missingPrograms({ programs }: Language): string[] {
  return programs.filter((program) => spawnSync(program, ['--version']).status !== 0);
}
