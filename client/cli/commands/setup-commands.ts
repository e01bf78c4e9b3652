import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { listProfiles, saveProfile } from '../profiles.ts';
import type { CommandContext } from './command-context.ts';

/** Profiles and shell completion: what is set up once. */
export function addSetupCommands(program: Command, context: CommandContext): void {
  const { console, environment, credentials, baseUrl, end } = context;
  const profile = program.command('profile').description('keep credentials under a name');

  profile
    .command('save <name>')
    .description('save the base URL and the credentials of this call, for --profile <name>')
    .action((name: string) => {
      const file = saveProfile(name, baseUrl(), credentials(), environment);
      console.message(`Saved in ${file}, which only you may read.`);
      end(EXIT_CODES.done);
    });

  profile
    .command('list')
    .description('show the names of the profiles and their base URLs')
    .action(() => {
      for (const line of listProfiles(environment)) console.data(line);
      end(EXIT_CODES.done);
    });

  program
    .command('completion')
    .description('print a script that completes commands in your shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell) => {
      console.data(completionScript(program, shell));
      end(EXIT_CODES.done);
    });
}
