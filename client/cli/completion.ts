import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The words that may follow a command. `path` is empty for the program itself. */
interface Place {
  readonly path: string;
  readonly words: readonly string[];
}

/** A script that completes commands and options, made from the commands themselves. */
export function completionScript(program: Command, shell: Shell): string {
  const places = placesOf(program, '');
  switch (shell) {
    case 'bash':
      return bashScript(places);
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(places)}`;
    case 'fish':
      return fishScript(places);
    default:
      return shell satisfies never;
  }
}

function placesOf(command: Command, path: string): Place[] {
  const names = command.commands.map((one) => one.name());
  const options = command.options.flatMap(({ long }) => (long ? [long] : []));
  const inner = command.commands.flatMap((one) =>
    placesOf(one, path === '' ? one.name() : `${path} ${one.name()}`),
  );
  return [{ path, words: [...names, ...options, '--help'] }, ...inner];
}

function bashScript(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
  const cases = places.map(
    ({ path, words }) =>
      `    "${path}") COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$current")) ;;`,
  );
  return `_registry() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" longer word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    longer="\${path:+$path }$word"
    case "$longer" in
      ${paths.join('|')}) path="$longer" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _registry registry`;
}

function fishScript(places: readonly Place[]): string {
  return places
    .flatMap(({ path, words }) => {
      const condition =
        path === ''
          ? '__fish_use_subcommand'
          : `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`;
      return words.map((word) =>
        word.startsWith('--')
          ? `complete -c registry -n '${condition}' -l ${word.slice(2)}`
          : `complete -c registry -n '${condition}' -a ${word}`,
      );
    })
    .join('\n');
}
