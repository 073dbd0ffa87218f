import { cardOfSkill, serializeSkillCard } from '@repertoire/skill-cards';
import type { Command } from 'commander';
import { findSkill } from '../source/find-skill.ts';
import { openSource } from '../source/open-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { runCommand, type CommandIo } from './command.ts';

interface CardCommandOptions {
  readonly baseUri: string;
  readonly json?: boolean;
}

/** `repertoire card`: the skill card of one skill, as JSON. */
export function cardCommand(command: Command, io: CommandIo): void {
  command
    .description('Prints the skill card of a skill: a JSON file that says what the skill is and which files it has.')
    .argument('<skill>', 'name of the skill; name@version for one of its versions')
    .argument('[sources...]', 'folders, archives, URLs, MCP servers or storage; else the places where agents keep skills')
    .option('--base-uri <uri>', 'where the files of the skill are, relative to the card', '.')
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((word: string, words: string[], options: CardCommandOptions) =>
      runCommand(io, options, async (report) => {
        await using source = await openSource(words, io, report);
        const skill = await findSkill(source.provider, word, io.signal);
        for (const diagnostic of skill.diagnostics) report.diagnostic(diagnostic);
        const card = serializeSkillCard(cardOfSkill(skill, { baseUri: options.baseUri }));
        return { summary: card.trimEnd(), data: { card: JSON.parse(card) as unknown } };
      }),
    );
}

const helpFooter = `
Examples:
  repertoire card billing ./skills > skills/billing/skill-card.json
  repertoire card billing ./skills --base-uri https://example.com/skills/billing/

Exit codes: 0 done, 1 there is no such skill, 2 wrong usage.`;
