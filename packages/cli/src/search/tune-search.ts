import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SkillEmbedderOptions } from '@repertoire/skill-search';
import { tuneEmbedder, type EmbedderTuning, type TunedShares } from '@repertoire/skill-search/analysis';
import type { SkillProvider } from '@repertoire/skills-core';
import { importHostModule } from '../agent/import-host-module.ts';
import type { CommandIo, CommandReport, CommandResult } from '../commands/command.ts';
import { readLibrary } from '../evals/read-library.ts';
import { count } from '../text/count.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** Fewer prompts say little of others. */
const fewPrompts = 30;

/** Measures prompts by words alone and with an embedder, and proposes its weight. */
export async function tuneSearch(
  provider: SkillProvider,
  embedderFile: string,
  report: CommandReport,
  { cwd, signal }: Pick<CommandIo, 'cwd' | 'signal'>,
): Promise<CommandResult> {
  const embedder = await embedderOf(path.resolve(cwd, embedderFile));
  const { items, diagnostics } = await readLibrary(provider, report, signal);
  for (const diagnostic of diagnostics) report.diagnostic(diagnostic);
  if (!items.some(({ shouldTrigger }) => shouldTrigger))
    throw wrongUsage(
      'The skills have no prompts to tune by. Write some into evals/evals.json of each skill: see "repertoire test --help".',
    );
  report.progress(`Measuring ${count(items.length, 'prompt')}…`);
  const prompts = items.map(({ prompt, skill, shouldTrigger }) => ({ prompt, skill, isFor: shouldTrigger }));
  const tuning = await tuneEmbedder(provider, embedder, prompts, { signal });
  if (prompts.length < fewPrompts) report.note(`${count(prompts.length, 'prompt')} say little: write at least ${fewPrompts}.`);
  return { summary: summaryOf(tuning), data: { prompts: prompts.length, words: tuning.words, best: tuning.best, tried: tuning.tried } };
}

async function embedderOf(file: string): Promise<SkillEmbedderOptions> {
  let module: unknown;
  try {
    module = await importHostModule(pathToFileURL(file).href);
  } catch (cause) {
    throw wrongUsage(`The module of --embedder cannot be imported: ${file}: ${String(cause)}. Check the path.`, {
      cause,
    });
  }
  const { default: options } = module as { readonly default?: Partial<SkillEmbedderOptions> };
  if (typeof options?.id !== 'string' || options.model === undefined)
    throw wrongUsage(`The module of --embedder must export the options of skillEmbedder as its default: { id, model }. ${file} does not.`);
  return { ...options, id: options.id, model: options.model };
}

function summaryOf({ words, best }: EmbedderTuning): string {
  const lines = [lineOf('words alone', words)];
  if (best.weight === 0) return [...lines, 'No weight of this embedder is better on these prompts. Search by words alone.'].join('\n');
  const { weight, rankOffset } = best;
  return [...lines, lineOf('with the embedder', best), `Use skillEmbedder({ …, weight: ${weight}, rankOffset: ${rankOffset} }).`].join(
    '\n',
  );
}

function lineOf(label: string, { first, among, wrong }: TunedShares): string {
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return `${label.padEnd(18)} first ${percent(first)}, among five ${percent(among)}, first where another is meant ${percent(wrong)}`;
}
