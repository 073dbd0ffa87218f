import { createSkillset, type SkillCatalog } from '@repertoire/skills-core';
import { catalogCuts, catalogLines, type CatalogCut } from '@repertoire/skills-core/internal';
import { Option, type Command } from 'commander';
import { openSource } from '../source/open-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { columns } from '../text/columns.ts';
import { count } from '../text/count.ts';
import { parseWhole } from '../text/parse-whole.ts';
import { runCommand, type CommandIo } from './command.ts';

interface CatalogCommandOptions {
  readonly maxTokens: number;
  readonly format: 'xml' | 'markdown' | 'json';
  readonly mode: 'system-prompt' | 'tool-only' | 'both' | 'auto';
  readonly model?: string;
  readonly json?: boolean;
  readonly verbose?: boolean;
}

interface SkillCost {
  readonly name: string;
  /** Tokens of its description and `when_to_use`, as the author wrote them. */
  readonly descriptionTokens: number;
  /** Tokens of its line as it stands in the catalog; 0 if it is not listed. */
  readonly tokens: number;
  readonly cut: CatalogCut;
}

/** `repertoire catalog`: the text that a model gets, byte for byte, and what it costs. */
export function catalogCommand(command: Command, io: CommandIo): void {
  command
    .description(
      'Prints the catalog exactly as a model gets it on stdout. What it costs, and what the budget cut, goes to stderr.\nTokens are an estimate.',
    )
    .argument('[sources...]', 'folders, archives, URLs, MCP servers or storage; else the places where agents keep skills')
    .addOption(new Option('--max-tokens <count>', 'the most tokens of the whole text').argParser(parseWhole(1)).default(8000))
    .addOption(new Option('--format <format>', 'how the list is written').choices(['xml', 'markdown', 'json']).default('xml'))
    .addOption(
      new Option('--mode <mode>', 'where skills are listed, if they do not say')
        .choices(['system-prompt', 'tool-only', 'both', 'auto'])
        .default('system-prompt'),
    )
    .option('--model <name>', 'the model that --mode auto is resolved for, such as openai/gpt-5')
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((words: string[], options: CatalogCommandOptions) =>
      runCommand(io, options, async (report) => {
        await using source = await openSource(words, io, report);
        const { maxTokens, format, mode } = options;
        const skillset = createSkillset({
          provider: source.provider,
          onDiagnostic: 'silent',
          catalog: { maxTokens, format },
          surface: { mode, model: options.model === undefined ? undefined : modelOf(options.model) },
        });
        const { catalog, diagnostics } = await skillset.open({ signal: io.signal });
        report.diagnostics(diagnostics);
        const skills = costsOf(catalog, format, skillset.countTokens);
        const { text, toolText, tokens, cut } = catalog;
        if (options.json !== true) report.note(costTable(skills, tokens, maxTokens, options.verbose === true));
        const summary = [text, toolText === '' ? '' : `Description of the load tool:\n${toolText}`]
          .filter((part) => part !== '')
          .join('\n\n');
        return { summary, data: { text, toolText, tokens, maxTokens, cut, skills } };
      }),
    );
}

const helpFooter = `
Examples:
  repertoire catalog ./skills
  repertoire catalog ./skills --max-tokens 2000 --format markdown
  repertoire catalog ./skills > catalog.txt               the exact text alone

Exit codes: 0 done, 1 a source cannot be read, 2 wrong usage.`;

function costsOf(catalog: SkillCatalog, format: CatalogCommandOptions['format'], countTokens: (text: string) => number): SkillCost[] {
  const lines = catalogLines(catalog, format);
  const cuts = catalogCuts(catalog);
  return catalog.skills.map(({ name, description, whenToUse }) => {
    const cut = cuts.get(name) ?? 'whole';
    const written = cut === 'dropped' ? [] : (lines.get(name) ?? []);
    return {
      name,
      descriptionTokens: countTokens(whenToUse === undefined ? description : `${description} ${whenToUse}`),
      tokens: written.reduce((sum, line) => sum + countTokens(line), 0),
      cut,
    };
  });
}

const mostRows = 40;

/** Of many skills, those that cost most. */
function costTable(skills: readonly SkillCost[], tokens: number, maxTokens: number, isWhole: boolean): string {
  const shown = isWhole || skills.length <= mostRows ? skills : [...skills].sort((a, b) => b.tokens - a.tokens).slice(0, mostRows);
  const rows = shown.map(({ name, tokens: own, descriptionTokens, cut }) => [
    name,
    `${own} of ${descriptionTokens}`,
    cut === 'whole' ? '' : cut,
  ]);
  const cut = skills.filter((skill) => skill.cut !== 'whole').length;
  const head = `${count(skills.length, 'skill')}, about ${tokens} of ${maxTokens} tokens${cut === 0 ? '; nothing was cut' : `; the budget cut ${cut}`}.`;
  const left = skills.length - shown.length;
  const more = left === 0 ? '' : `\n${left} that cost less are left out; --verbose lists all.`;
  return rows.length === 0 ? head : `${head}\n${columns([['skill', 'tokens', ''], ...rows])}${more}\n`;
}

function modelOf(text: string): { provider?: string; model: string } {
  const slash = text.indexOf('/');
  return slash > 0 ? { provider: text.slice(0, slash), model: text.slice(slash + 1) } : { model: text };
}
