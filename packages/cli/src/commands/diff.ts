import { readListing } from '@repertoire/skills-core/provider';
import type { Command } from 'commander';
import { diffSkills } from '../diff/diff-skills.ts';
import { differenceText } from '../diff/difference-text.ts';
import { openSource } from '../source/open-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { count } from '../text/count.ts';
import { runCommand, type CommandIo } from './command.ts';

interface DiffCommandOptions {
  readonly skill?: string;
  readonly stat?: boolean;
  readonly json?: boolean;
}

/** `repertoire diff`: what differs between two sources, permissions first. */
export function diffCommand(command: Command, io: CommandIo): void {
  command
    .description(
      'Compares the skills of two sources: first what they ask for (tools, permissions, model), then other fields, then their files.',
    )
    .argument('<before>', 'a source; see below')
    .argument('<after>', 'what to compare it with')
    .option('--skill <name>', 'compare only this skill')
    .option('--stat', 'name the files that differ, without their text')
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((before: string, after: string, options: DiffCommandOptions) =>
      runCommand(io, options, async (report) => {
        await using left = await openSource([before], io, report);
        await using right = await openSource([after], io, report);
        for (const { provider } of [left, right]) {
          const { diagnostics } = await readListing(provider, { signal: io.signal });
          // A skill that cannot be read would look like one that was removed.
          for (const diagnostic of diagnostics) if (diagnostic.severity === 'error') report.diagnostic(diagnostic);
        }
        const differences = await diffSkills(left.provider, right.provider, options.skill, { signal: io.signal });
        const same = differences.length === 0;
        return {
          summary: same
            ? 'There is no difference.'
            : [
                ...differences.map((each) => differenceText(each, options.stat === true)),
                `${count(differences.length, 'skill')} ${differences.length === 1 ? 'differs' : 'differ'}.`,
              ].join('\n\n'),
          data: { same, skills: differences },
          hasFindings: !same,
        };
      }),
    );
}

const helpFooter = `
Examples:
  repertoire diff ./skills-before ./skills
  repertoire diff https://example.com ./skills --skill billing
  repertoire diff ./skills-before ./skills --stat --json

Exit codes: 0 no difference, 1 something differs or cannot be read, 2 wrong usage.`;
