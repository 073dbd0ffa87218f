import type { Command } from 'commander';
import { listSource, openSource } from '../source/open-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { columns } from '../text/columns.ts';
import { oneLine } from '../text/one-line.ts';
import { runCommand, type CommandIo } from './command.ts';

const maxDescription = 100;
const leastDescription = 20;

/** `repertoire list`: the skills of sources, one a line. */
export function listCommand(command: Command, io: CommandIo): void {
  command
    .description('Lists the skills of sources. Without sources: those of the places where agents keep skills, as `doctor` names them.')
    .argument('[sources...]', 'folders, archives, URLs, MCP servers or storage')
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((words: string[], options: { readonly json?: boolean }) =>
      runCommand(io, options, async (report) => {
        await using source = await openSource(words, io, report);
        const { skills, diagnostics, complete } = await listSource(source, io, report);
        report.diagnostics(diagnostics);
        const beside =
          Math.max(0, ...skills.map(({ name }) => name.length)) + Math.max(0, ...skills.map(({ version }) => version?.length ?? 0)) + 4;
        const room =
          io.stdout.columns === undefined
            ? maxDescription
            : Math.min(maxDescription, Math.max(leastDescription, io.stdout.columns - beside));
        const hasVersions = skills.some(({ version }) => version !== null);
        const rows = skills.map(({ name, version, description }) => [
          name,
          ...(hasVersions ? [version ?? ''] : []),
          oneLine(description, room),
        ]);
        return {
          summary: rows.length === 0 ? 'There are no skills.' : columns(rows),
          data: { complete, skills },
        };
      }),
    );
}

const helpFooter = `
Examples:
  repertoire list
  repertoire list ./skills
  repertoire list https://example.com --json

Exit codes: 0 done, 1 a source cannot be read, 2 wrong usage.`;
