import { readListing } from '@repertoire/skills-core/provider';
import type { SkillCandidate } from '@repertoire/skills-core/internal';
import { Option, type Command } from 'commander';
import { searchSource } from '../search/search-source.ts';
import { tuneSearch } from '../search/tune-search.ts';
import { openSource } from '../source/open-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { count } from '../text/count.ts';
import { oneLine } from '../text/one-line.ts';
import { parseNames } from '../text/parse-names.ts';
import { parseWhole } from '../text/parse-whole.ts';
import { runCommand, type CommandIo } from './command.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

interface SearchCommandOptions {
  readonly limit: number;
  readonly tags?: readonly string[];
  readonly from?: readonly string[];
  readonly trusted?: boolean;
  readonly untrusted?: boolean;
  readonly for: 'model' | 'person' | 'host';
  readonly references?: boolean;
  readonly tune?: boolean;
  readonly embedder?: string;
  readonly json?: boolean;
}

const maxDescription = 160;
const leastDescription = 30;

/** `repertoire search`: the skills that fit a request, and why. */
export function searchCommand(command: Command, io: CommandIo): void {
  command
    .description('Finds the skills that fit a request, best first, with the words that were found and where.\nNothing is loaded.')
    .argument('[query]', 'what somebody asks for, in plain words; not with --tune')
    .argument('[sources...]', 'folders, archives, URLs, MCP servers or storage; else the places where agents keep skills')
    .addOption(new Option('--limit <count>', 'how many skills at most').argParser(parseWhole(1, 100)).default(5))
    .option('--tags <tags>', 'only skills that have one of these tags, with commas between them', parseNames)
    .option('--from <labels>', 'only skills of sources with these labels, with commas between them', parseNames)
    .addOption(new Option('--trusted', 'only skills of sources that you trust').conflicts('untrusted'))
    .option('--untrusted', 'only skills of other sources')
    .addOption(
      new Option('--for <reader>', 'whose skills: model leaves out those that no model may load, person those that no person may')
        .choices(['model', 'person', 'host'])
        .default('host'),
    )
    .option('--references', 'search the Markdown and plain text in references/ of each skill as well')
    .option('--tune', "measure the library's own prompts with and without an embedder, and propose its weight")
    .option('--embedder <file>', 'for --tune: a module whose default export is the options of skillEmbedder')
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((query: string | undefined, words: string[], options: SearchCommandOptions) =>
      runCommand(io, options, async (report) => {
        if (options.tune === true || options.embedder !== undefined) {
          if (options.tune !== true || options.embedder === undefined)
            throw wrongUsage('--tune and --embedder go together: give both, or search by words with neither.');
          await using tuned = await openSource(query === undefined ? [] : [query, ...words], io, report);
          return await tuneSearch(tuned.provider, options.embedder, report, io);
        }
        if (query === undefined || query.trim() === '') throw wrongUsage('The query is empty. Say what somebody asks for.');
        await using source = await openSource(words, io, report);
        const trusted = options.trusted === true ? true : options.untrusted === true ? false : undefined;
        const request = {
          limit: options.limit,
          audience: options.for,
          references: options.references,
          filter: { tags: options.tags, sources: options.from, trusted },
          signal: io.signal,
        };
        const { candidates, diagnostics, skills } = await searchSource(source.provider, query, request, report);
        const listing = await readListing(source.provider, { signal: io.signal });
        report.diagnostics([...listing.diagnostics, ...diagnostics]);
        const room = Math.min(maxDescription, Math.max(leastDescription, (io.stdout.columns ?? maxDescription) - 3));
        return {
          summary:
            candidates.length === 0
              ? `Nothing fits among ${count(skills, 'skill')}.`
              : candidates.map((candidate, index) => textOf(candidate, index, candidates[0]?.score ?? 1, room)).join('\n\n'),
          data: { query, searched: skills, candidates },
        };
      }),
    );
}

const helpFooter = `
Examples:
  repertoire search "why is this query slow" ./skills
  repertoire search "refund an order" --limit 3 --tags billing
  repertoire search "deploy" https://example.com --json
  repertoire search --tune ./skills --embedder ./embedder.mjs

Exit codes: 0 done, 1 a source cannot be read, 2 wrong usage.`;

/** Scores mean something only beside each other, so people see shares of the best one. */
function textOf({ name, version, description, score, matches, origin }: SkillCandidate, index: number, best: number, room: number): string {
  const head = `${index + 1}. ${name}${version === null ? '' : ` ${version}`}  ${Math.round((score / best) * 100)} %`;
  const from = origin === undefined ? '' : `\n   from: ${origin.label}${origin.trusted ? '' : ' (untrusted)'}`;
  const found = matches.map(({ text, fields }) => `${text} (${fields.join(', ')})`).join('; ');
  return `${head}\n   ${oneLine(description, room)}${from}\n   found: ${found}`;
}
