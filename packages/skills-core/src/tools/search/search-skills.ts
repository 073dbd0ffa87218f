import { messageOf } from '../../errors/message-of.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import type { SkillDiagnostic, SkillMetadata } from '../../contract/skill-provider.ts';
import type { SkillSearch, SkillSearchAnswer, SkillSearchField } from '../../contract/skill-search.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { frame } from '../../prompt/frames.ts';
import {
  candidatesText,
  indexIncompleteText,
  moreCandidatesText,
  noCandidatesText,
  searchFailedText,
  searchImpairedText,
  searchToolTexts,
  untrustedCandidatesText,
} from '../../prompt/search-texts.ts';
import type { SkillToolNames } from '../../prompt/tool-names.ts';
import { abortable } from '../../providers/support/abortable.ts';
import { lineArgument, textArgument, toolDescription, type SkillToolDescription } from '../describe-tool.ts';
import { makeTool } from '../run-tool.ts';
import type { SkillTool } from '../skill-tool.ts';
import type { SkillToolHost } from '../tool-host.ts';
import { candidateLine, type FoundSkill } from './write-candidates.ts';

/** What the host decided about searches. */
export interface SearchRules {
  readonly limit: number;
  readonly timeoutMs: number;
  readonly context: string | (() => string) | undefined;
}

/** The most candidates of one answer. */
export const mostCandidates = 20;

/** A search may ignore `filter`, so more are asked for. */
const spare = 5;
const mostAsked = 100;

/** What a model is told of the tool that searches. */
export function describeSearchTool(names: SkillToolNames): SkillToolDescription {
  const { description, query, limit } = searchToolTexts;
  return toolDescription('search', names, description(names), {
    properties: { query: textArgument(query), limit: lineArgument(limit) },
    required: ['query'],
  });
}

/** `search_skills`: candidates of the session's catalog with reasons. Loads none. */
export function searchSkillsTool(host: SkillToolHost, search: SkillSearch, rules: SearchRules): SkillTool {
  const { catalog, events, limits, names } = host;
  const visible = new Map(catalog.skills.map((skill) => [skill.name, skill]));
  const tool = makeTool(events, describeSearchTool(names), async (fields, { signal }) => {
    const query = fields.requiredText('query', 'q', 'search', 'text', 'task', 'keywords', 'request');
    const wanted = fields.optionalLine('limit') ?? fields.optionalLine('top_k') ?? fields.optionalLine('max_results') ?? rules.limit;
    const limit = Math.min(wanted, mostCandidates);
    const answer = await ask(search, query, { ...rules, limit, visible, signal }).catch((thrown: unknown) => {
      signal?.throwIfAborted();
      events.report(searchFailed(thrown));
      throw new SkillError('source-unavailable', searchFailedText(names), { cause: thrown });
    });
    const diagnostics = answer.diagnostics ?? [];
    for (const diagnostic of diagnostics) events.report(diagnostic);
    const found = (await readable(host, foundSkills(answer, visible), limit)).slice(0, limit);
    events.emit({ type: 'skills_searched', candidates: found.map(({ skill }) => skill.name), mode: answer.mode });
    return { text: answerText(found, { ...answer, diagnostics }, names, limits.maxResourceCharacters), events: [] };
  });
  // Lenient: a text is the query, and words are joined.
  return { ...tool, execute: (input, context) => tool.execute(typeof input === 'string' ? { query: input } : joinLists(input), context) };
}

function joinLists(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const joined = (value: unknown): unknown =>
    Array.isArray(value) && value.every((word) => typeof word === 'string') ? value.join(' ') : value;
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, joined(value)]));
}

interface Asked extends SearchRules {
  readonly visible: ReadonlyMap<string, SkillMetadata>;
  readonly signal: AbortSignal | undefined;
}

async function ask(
  search: SkillSearch,
  query: string,
  { limit, visible, timeoutMs, context, signal: given }: Asked,
): Promise<SkillSearchAnswer> {
  const late = AbortSignal.timeout(timeoutMs);
  const signal = given === undefined ? late : AbortSignal.any([given, late]);
  // Of a name, the version that this session has: words of another one must not find it.
  const where = ({ name, version }: SkillMetadata): boolean => visible.get(name)?.version === version;
  const asked = {
    limit: Math.min(limit * spare, mostAsked),
    audience: 'model',
    filter: { where },
    context: typeof context === 'function' ? context() : context,
    signal,
  } as const;
  const answer = await abortable(async () => await search.search(query, asked), signal);
  if (!Array.isArray(answer?.candidates)) throw new SkillError('source-unavailable', 'The search answered without candidates.');
  return answer;
}

/** The candidates that the session's catalog has, in the version that it has, each once. */
function foundSkills({ candidates }: SkillSearchAnswer, visible: ReadonlyMap<string, SkillMetadata>): FoundSkill[] {
  const found = new Map<string, FoundSkill>();
  for (const candidate of candidates) {
    const skill = visible.get(candidate?.name);
    if (skill !== undefined && candidate.version === skill.version && !found.has(skill.name)) found.set(skill.name, { skill, candidate });
  }
  return [...found.values()];
}

/** Parts of a skill that everybody reads who sees it. The others are for those who may load it. */
const openFields: ReadonlySet<SkillSearchField> = new Set(['name', 'description']);

/**
 * Of a skill that this request may not load, or that nobody approved yet, only its name and
 * description find it and are quoted: what else was found would tell what stands in the rest.
 */
async function readable({ audience, present }: SkillToolHost, found: readonly FoundSkill[], limit: number): Promise<readonly FoundSkill[]> {
  const shown: FoundSkill[] = [];
  for (const one of found) {
    if (shown.length === limit) break;
    const { skill, candidate } = one;
    const isApproved = (await present.grantsOf(skill, skill.content)).has('load');
    if (isApproved && (await audience.mayDo('load', skill))) {
      shown.push(one);
      continue;
    }
    const matches = candidate.matches.flatMap(({ text, fields }) => {
      const open = fields.filter((field) => openFields.has(field));
      return open.length === 0 ? [] : [{ text, fields: open }];
    });
    if (matches.length > 0) shown.push({ skill, candidate: { ...candidate, matches } });
  }
  return shown;
}

function answerText(
  found: readonly FoundSkill[],
  { diagnostics, partial = false }: SkillSearchAnswer,
  names: SkillToolNames,
  maxCharacters: number,
): string {
  const lines: string[] = [];
  let room = maxCharacters;
  for (const line of found.map(candidateLine)) {
    room -= line.length + 1;
    if (room < 0 && lines.length > 0) break;
    lines.push(line);
  }
  const shown = found.slice(0, lines.length);
  // Diagnostics are for the host: they may name skills that this session lacks.
  const isImpaired = diagnostics.some(({ severity }) => severity !== 'info');
  return [
    lines.length === 0 ? noCandidatesText : frame('skill_candidates', {}, lines.join('\n')),
    ...(lines.length === 0 ? [] : [candidatesText(names)]),
    ...(lines.length < found.length ? [moreCandidatesText(found.length - lines.length)] : []),
    ...(shown.every(({ skill }) => isTrusted(skill)) ? [] : [untrustedCandidatesText]),
    ...(partial && !isImpaired ? [indexIncompleteText(names)] : []),
    ...(isImpaired ? [searchImpairedText(names)] : []),
  ].join('\n\n');
}

/** Code: `search-failed` (error). */
function searchFailed(thrown: unknown): SkillDiagnostic {
  const why = messageOf(thrown);
  return {
    code: 'search-failed',
    severity: 'error',
    message: `The search for skills failed: ${why}`,
    fix: 'Look at the search that skillDiscovery was given. Until it works, the model loads skills by name only.',
  };
}
