import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Content, LanguageModelV4Usage } from '@ai-sdk/provider';
import { composeAnswer } from './compose-answer.ts';
import {
  findTool,
  readAnswers,
  readCatalog,
  readFileText,
  readRequest,
  readSkill,
  type CatalogLine,
  type LoadedText,
} from './read-prompt.ts';
import { rarityOf, wordsOf } from './words.ts';

/** Minimum weight of a match: about two words that few skills contain. */
const enough = 2.4;

const usage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/**
 * Stands in for a language model if there is no key for one. It cannot think, but it is not a
 * script either: it decides by its input (system prompt, request, tools and results), so it shows
 * what skills give a model to decide by.
 */
export function standInModel(): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'demo',
    modelId: 'stand-in',
    supportedUrls: {},
    async doGenerate(options) {
      options.abortSignal?.throwIfAborted();
      const content = decide(options);
      const unified = content.some((part) => part.type === 'tool-call') ? 'tool-calls' : 'stop';
      return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] };
    },
    doStream: () => Promise.reject(new Error('The stand-in model does not stream. Use generateText, or the generate method of an agent.')),
  };
}

/** One step: load a skill, read one of its files, or answer. */
function decide({ prompt, tools }: LanguageModelV4CallOptions): LanguageModelV4Content[] {
  const request = readRequest(prompt);
  const answers = readAnswers(prompt);
  const skill = answers.map(readSkill).find((loaded) => loaded !== undefined);
  const file = answers.map(readFileText).find((read) => read !== undefined);
  const failed = answers.find((answer) => answer.startsWith('Error ('));
  const load = findTool(tools, /^loads? a skill/i, 'name');
  const read = findTool(tools, /^reads? a file of a skill/i, 'skill', 'path');

  if (skill === undefined) {
    const catalog = readCatalog(prompt);
    const choice = choose(catalog, request);
    if (failed !== undefined) return says(`I could not load a skill: ${failed}`);
    if (choice === undefined || load === undefined) return says(nothingFits(catalog));
    return [
      ...says(`The description of ${choice.name} speaks of ${quoted(choice.words)}, as the request does.`),
      calls(load.name, { name: choice.name }, prompt.length),
    ];
  }
  if (file === undefined && failed === undefined && read !== undefined) {
    const choice = chooseFile(skill, request);
    if (choice !== undefined) {
      return [
        ...says(`${choice.path} is the file that the instructions connect with ${quoted(choice.words)}.`),
        calls(read.name, { skill: skill.name, path: choice.path }, prompt.length),
      ];
    }
  }
  return says(composeAnswer(request, skill, file));
}

/** The skill whose name and description share the words of the highest weight with the request. */
function choose(
  catalog: readonly CatalogLine[],
  request: string,
): { readonly name: string; readonly words: readonly string[] } | undefined {
  const rarity = rarityOf(catalog.map(({ name, description }) => `${name} ${description}`));
  const ranked = catalog.map(({ name, description }) => {
    const inName = wordsOf(name);
    const { words, score } = shared(request, `${name} ${description}`, (stem) => rarity(stem) * (inName.has(stem) ? 2 : 1));
    return { name, words, score };
  });
  const best = ranked.toSorted((a, b) => b.score - a.score)[0];
  return best !== undefined && best.score >= enough ? best : undefined;
}

/**
 * The file whose path, and its mention in the instructions, share the words of the highest weight
 * with the request.
 */
function chooseFile(
  { body, files }: LoadedText,
  request: string,
): { readonly path: string; readonly words: readonly string[] } | undefined {
  const about = files.map((path) => {
    const mentions = body
      .split(/\n\s*\n/)
      .flatMap((paragraph) => paragraph.split(/(?<=[.:;])\s+(?=[A-Z])/))
      .filter((sentence) => sentence.includes(path));
    return { path, text: [path.replace(/\.\w+$/, ''), ...mentions].join(' ') };
  });
  const rarity = rarityOf(about.map(({ text }) => text));
  const ranked = about.map(({ path, text }) => ({ path, ...shared(request, text, (stem) => rarity(stem) + 0.1) }));
  const best = ranked.toSorted((a, b) => b.score - a.score)[0];
  return best !== undefined && best.score > 0 ? best : undefined;
}

function shared(request: string, text: string, weigh: (stem: string) => number): { readonly words: string[]; readonly score: number } {
  const known = wordsOf(text);
  const matches = [...wordsOf(request)]
    .flatMap(([stem, word]) => (known.has(stem) ? [{ word, weight: weigh(stem) }] : []))
    .toSorted((a, b) => b.weight - a.weight);
  return { words: matches.slice(0, 5).map(({ word }) => word), score: matches.reduce((sum, { weight }) => sum + weight, 0) };
}

function nothingFits(catalog: readonly CatalogLine[]): string {
  return `None of the ${catalog.length} skills is about this, so I load none. A language model would now answer from what it knows; I am only a stand-in and know nothing.`;
}

function says(text: string): LanguageModelV4Content[] {
  return [{ type: 'text', text }];
}

function calls(toolName: string, input: Readonly<Record<string, string>>, step: number): LanguageModelV4Content {
  return { type: 'tool-call', toolCallId: `call-${step}`, toolName, input: JSON.stringify(input) };
}

function quoted(words: readonly string[]): string {
  const [last = '', ...others] = words.map((word) => `"${word}"`).toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}
