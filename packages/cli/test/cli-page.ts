/**
 * `node --conditions=@repertoire/source packages/cli/test/cli-page.ts [--check]`: writes
 * `docs/reference/cli-options.md` from the options that the commands declare; `--check` only says
 * whether it is up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Command, type Option } from 'commander';
import { addToProgram, commandTable } from '../src/commands/command-table.ts';
import type { CommandIo } from '../src/commands/command.ts';

const path = new URL('../../../docs/reference/cli-options.md', import.meta.url);

/** Nothing is run, so nothing of it is used. */
const io: CommandIo = {
  stdout: { write: () => undefined },
  stderr: { write: () => undefined },
  env: {},
  cwd: '.',
  signal: new AbortController().signal,
  ask: undefined,
  setExitCode: () => undefined,
};

/** The page, from the commands as they are. */
export async function cliOptionsPage(): Promise<string> {
  const program = new Command('repertoire');
  for (const entry of commandTable) await addToProgram(program, entry, io);
  const parts = commandTable.map(({ name, usage, summary }) => {
    const options = program.commands.find((command) => command.name() === name)?.options ?? [];
    const rows = options.filter(({ long }) => long !== '--json' && long !== '--verbose').map(rowOf);
    const table = rows.length === 0 ? [] : [['| option | what | default |', '|---|---|---|', ...rows].join('\n')];
    return [`## \`repertoire ${name} ${usage}\``, `To ${summary}.`, ...table].join('\n\n');
  });
  return `${[introduction, ...parts].join('\n\n')}\n`;
}

const introduction = `# Options of the \`repertoire\` command

<!-- Written by packages/cli/test/cli-page.ts. Do not edit. -->

What \`--help\` of each command says. [The command](cli.md) has sources, exit codes and what \`--json\`
prints. Every command has \`--json\`, and \`--verbose\`, which tells all that is summed up otherwise.`;

function rowOf({ flags, description, argChoices, defaultValue, defaultValueDescription }: Option): string {
  const choices = argChoices === undefined ? '' : ` (${argChoices.map((choice) => `\`${choice}\``).join(', ')})`;
  const usual = defaultValueDescription ?? (defaultValue === undefined || typeof defaultValue === 'boolean' ? '' : String(defaultValue));
  return `| ${[`\`${flags}\``, `${description}${choices}`, usual === '' ? '' : `\`${usual}\``].map(cell).join(' | ')} |`.replaceAll(
    '|  |',
    '| |',
  );
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

if (import.meta.main) {
  const text = await cliOptionsPage();
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error('docs/reference/cli-options.md is out of date. Run: node --conditions=@repertoire/source packages/cli/test/cli-page.ts');
    process.exitCode = 1;
  }
}
