import { execFileSync } from 'node:child_process';
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acknowledge, CREDENTIALS } from './fake-registry.ts';
import { ENVIRONMENT, useCli } from './run-cli.ts';

const cli = useCli();
const { run } = cli;
const environmentOf = (others: NodeJS.ProcessEnv = {}) => ({
  ...others,
  XDG_CONFIG_HOME: cli.folder,
});
const configFile = () => join(cli.folder, 'ppai', 'config.json');

describe('a profile', () => {
  it('keeps base URL and credentials in a file that only its owner may read', async () => {
    const saved = await run(['profile', 'save', 'production'], {
      answer: () => acknowledge(200),
      environment: environmentOf(ENVIRONMENT),
    });
    expect(saved.exitCode).toBe(0);
    expect(statSync(configFile()).mode & 0o777).toBe(0o600);
    const listed = await run(['profile', 'list'], { environment: environmentOf() });
    expect(listed.data).toBe(`production  ${cli.registry?.url}`);

    const used = await run(['--profile', 'production', 'lookup', 'my-id-0001'], {
      environment: environmentOf(),
    });
    expect(used.exitCode).toBe(0);
    expect(cli.registry?.received[0]?.isSigned).toBe(true);
  });

  it('gives way to a base URL and a client file that are named', async () => {
    await run(['profile', 'save', 'production'], { environment: environmentOf(ENVIRONMENT) });
    const other = await run(
      [
        '--profile',
        'production',
        '--base-url',
        'http://127.0.0.1:7',
        '--client-file',
        'none.json',
        'token',
      ],
      { environment: environmentOf() },
    );
    expect(other).toMatchObject({ exitCode: 2, messages: expect.stringContaining('none.json') });
  });

  it('is refused when others may read it, when it is unknown, and when the file is something else', async () => {
    await run(['profile', 'save', 'production'], { environment: environmentOf(ENVIRONMENT) });
    const use = (name: string) =>
      run(['--profile', name, 'token'], { environment: environmentOf() });
    expect((await use('toString')).messages).toContain('Profiles: production');
    chmodSync(configFile(), 0o644);
    const open = await use('production');
    expect(open).toMatchObject({ exitCode: 2, messages: expect.stringContaining('chmod 600') });
    expect(open.messages).not.toContain(CREDENTIALS.clientSecret);
    chmodSync(configFile(), 0o600);
    writeFileSync(configFile(), '{');
    expect((await use('production')).messages).toContain('must contain');
  });
});

describe('the completion', () => {
  const complete = (script: string, ...words: string[]) =>
    execFileSync('bash', [
      '-c',
      `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _registry; echo "\${COMPREPLY[*]}"`,
      'bash',
      ...words,
    ])
      .toString()
      .trim();

  it('of bash knows commands, subcommands and their options', async () => {
    const { data } = await run(['completion', 'bash']);
    expect(complete(data, 'registry', 'ba')).toBe('batch');
    expect(complete(data, 'registry', 'batch', 'st')).toBe('status');
    expect(complete(data, 'registry', '--profile', 'x', 'batch', 'send', '--give')).toBe(
      '--give-up-after',
    );
  });

  it.each(['zsh', 'fish'])('of %s names every command', async (shell) => {
    const { data } = await run(['completion', shell]);
    for (const name of ['transmit', 'batch', 'retry', 'profile']) expect(data).toContain(name);
    expect((await run(['completion', 'csh'])).exitCode).toBe(2);
  });
});
