import type { SkillMetadata } from '../../contract/skill-provider.ts';
import type { SkillToolNames } from '../../prompt/tool-names.ts';
import { deniedToolText } from './allowed-tools-texts.ts';
import { matchesAllowedTool, type AllowedToolCall, type AllowedToolOptions } from './matches-allowed-tool.ts';

/**
 * What `allowed-tools` means here. The standard leaves it open, and clients differ.
 *
 * - `ignore`: nothing.
 * - `restrict`: while a skill that has the field is active, only the tools that it names may be called.
 * - `pre-approve`: calls that it names need no approval by a person; all others go the host's usual way.
 */
export type AllowedToolsPolicy = 'ignore' | 'restrict' | 'pre-approve';

/** What a call is judged by. */
export interface AllowedToolsRequest extends AllowedToolOptions {
  /** @default 'ignore' */
  readonly policy?: AllowedToolsPolicy | undefined;
  /** The skills that are loaded now. */
  readonly activeSkills: readonly Pick<SkillMetadata, 'name' | 'allowedTools' | 'tools' | 'origin'>[];
  readonly call: AllowedToolCall;
  /** Names of the skill tools. They are never refused: the agent must be able to load another skill, or to end this one. */
  readonly skillToolNames: SkillToolNames;
  /** Patterns of calls that always go to a person, whatever a skill asks: tools that ask a person something are of that kind. @default none */
  readonly neverPreApprove?: readonly string[] | undefined;
}

/** What is to be done with a call. */
export interface AllowedToolsDecision {
  /**
   * `allowed`: `allowed-tools` has nothing against it; the host's other rules decide. `pre-approved`: no person need be asked; a `deny` of the host still wins.
   * `denied`: it must not be made.
   */
  readonly decision: 'allowed' | 'pre-approved' | 'denied';
  /** Why, in a sentence. For `denied` it is worded for the model, and is the result of the call. */
  readonly because: string;
  /** The skills that decided. */
  readonly skills: readonly string[];
}

/**
 * Judges one call of a tool by the `allowed-tools` of the skills that are active. Pure; ask it before every call, also where the tool was hidden from the model.
 *
 * Several skills: what any *trusted* active skill allows is allowed (the union). A trusted skill without the field neither restricts nor lifts the restriction of
 * another, so loading one is no way out. Every *untrusted* skill that has the field narrows further, each on its own: it can take away and never give, and it
 * pre-approves nothing. A skill's own `tools` count as allowed by it. An empty list allows these alone: that is what is left of a field that could not be read,
 * and a restriction must not vanish because it was misspelled.
 *
 * @example
 * ```ts
 * import { allowedToolsDecision, defaultSkillToolNames, type SkillMetadata } from '@repertoire/skills-core';
 *
 * export function mayCall(activeSkills: readonly SkillMetadata[], tool: string, input: unknown): boolean {
 *   const { decision } = allowedToolsDecision({ policy: 'restrict', activeSkills, call: { tool, input }, skillToolNames: defaultSkillToolNames });
 *   return decision !== 'denied';
 * }
 * ```
 */
export function allowedToolsDecision(request: AllowedToolsRequest): AllowedToolsDecision {
  const { policy = 'ignore', activeSkills, call, skillToolNames } = request;
  if (Object.values(skillToolNames).includes(call.tool))
    return { decision: 'allowed', because: 'It is one of the skill tools.', skills: [] };
  const lists = activeSkills.flatMap((skill): AllowedList[] => {
    if (skill.allowedTools === undefined) return [];
    return [{ skill: skill.name, patterns: skill.allowedTools, tools: skill.tools ?? [], trusted: skill.origin?.trusted === true }];
  });
  if (policy === 'ignore' || lists.length === 0) return { decision: 'allowed', because: 'No allowed-tools are in force.', skills: [] };
  const trusted = lists.filter((list) => list.trusted);
  return policy === 'restrict'
    ? restrict(
        request,
        trusted,
        lists.filter((list) => !list.trusted),
      )
    : preApprove(request, trusted);
}

interface AllowedList {
  readonly skill: string;
  readonly patterns: readonly string[];
  readonly tools: readonly string[];
  readonly trusted: boolean;
}

function restrict(request: AllowedToolsRequest, trusted: readonly AllowedList[], untrusted: readonly AllowedList[]): AllowedToolsDecision {
  // The trusted lists are one list together; each of the others stands for itself.
  for (const lists of [...(trusted.length === 0 ? [] : [trusted]), ...untrusted.map((list) => [list])]) {
    if (lists.some((list) => list.tools.includes(request.call.tool) || matchesAny(list.patterns, request))) continue;
    const skills = lists.map(({ skill }) => skill);
    const patterns = [...new Set(lists.flatMap((list) => [...list.patterns, ...list.tools]))];
    return { decision: 'denied', because: deniedToolText(request.call.tool, skills, patterns), skills };
  }
  return {
    decision: 'allowed',
    because: 'The allowed-tools of the active skills name it.',
    skills: [...trusted, ...untrusted].map(({ skill }) => skill),
  };
}

function preApprove(request: AllowedToolsRequest, trusted: readonly AllowedList[]): AllowedToolsDecision {
  if (matchesAny(request.neverPreApprove ?? [], request))
    return { decision: 'allowed', because: 'The host never pre-approves it.', skills: [] };
  const skills = trusted.filter(({ patterns }) => matchesAny(patterns, request)).map(({ skill }) => skill);
  if (skills.length === 0) return { decision: 'allowed', because: 'No trusted active skill asks for it.', skills };
  return {
    decision: 'pre-approved',
    because: `The allowed-tools of ${skills.map((skill) => JSON.stringify(skill)).join(', ')} name it.`,
    skills,
  };
}

function matchesAny(patterns: readonly string[], request: AllowedToolsRequest): boolean {
  return patterns.some((pattern) => matchesAllowedTool(pattern, request.call, request));
}
