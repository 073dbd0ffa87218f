import type { SkillMetadata } from '../../contract/skill-provider.ts';
import { deniedToolText } from './allowed-tools-texts.ts';
import { matchesAllowedTool, type AllowedToolCall, type AllowedToolOptions } from './matches-allowed-tool.ts';

/**
 * What `allowed-tools` means here. The standard leaves it open, and clients differ.
 *
 * - `restrict`: while a skill that has the field is active, only the tools that it names may be
 *   called.
 * - `pre-approve`: calls that it names need no approval by a person; all others go the host's usual
 *   way.
 */
export type AllowedToolsPolicy = 'restrict' | 'pre-approve';

/** What a call is judged by. */
export interface AllowedToolsRequest extends AllowedToolOptions {
  /** @default none: `allowed-tools` mean nothing */
  readonly policy?: AllowedToolsPolicy | undefined;
  /** The skills that are loaded now. */
  readonly activeSkills: readonly Pick<SkillMetadata, 'name' | 'allowedTools' | 'tools' | 'origin'>[];
  readonly call: AllowedToolCall;
  /**
   * Whether `allowed-tools` were granted, so that trust is not asked. @default only trusted count
   */
  readonly isGranted?: boolean | undefined;
  /** Patterns of calls that always go to a person. @default none */
  readonly neverPreApprove?: readonly string[] | undefined;
}

/** What is to be done with a call. */
export interface AllowedToolsDecision {
  /**
   * `allowed`: `allowed-tools` has nothing against it; the host's other rules decide.
   * `pre-approved`: no person need be asked; a `deny` of the host still wins. `denied`: it must not
   * be made.
   */
  readonly decision: 'allowed' | 'pre-approved' | 'denied';
  /** Why, in a sentence. For `denied` it is worded for the model, and is the result of the call. */
  readonly because: string;
  /** The skills that decided. */
  readonly skills: readonly string[];
}

/**
 * Judges one call of a tool by the `allowed-tools` of the skills that are active. Pure; ask it
 * before every call, also if the tool was hidden from the model.
 *
 * What any *trusted* active skill allows is allowed (the union). A trusted skill without the field
 * neither restricts nor lifts the restriction of another, so loading one lifts nothing. The field
 * of an *untrusted* skill has no effect. A skill's own `tools` count as allowed by it. An empty
 * list allows these alone: that is what is left of a field that could not be read, and a
 * restriction must not vanish because it was misspelled.
 */
export function allowedToolsDecision(request: AllowedToolsRequest): AllowedToolsDecision {
  const { policy, activeSkills } = request;
  const lists = activeSkills.flatMap((skill): AllowedList[] => {
    if (skill.allowedTools === undefined || (skill.origin?.trusted !== true && request.isGranted !== true)) return [];
    return [{ skill: skill.name, patterns: skill.allowedTools, tools: skill.tools ?? [] }];
  });
  if (policy === undefined || lists.length === 0) return { decision: 'allowed', because: 'No allowed-tools are in force.', skills: [] };
  return policy === 'restrict' ? restrict(request, lists) : preApprove(request, lists);
}

interface AllowedList {
  readonly skill: string;
  readonly patterns: readonly string[];
  readonly tools: readonly string[];
}

function restrict(request: AllowedToolsRequest, lists: readonly AllowedList[]): AllowedToolsDecision {
  const skills = lists.map(({ skill }) => skill);
  if (lists.some((list) => list.tools.includes(request.call.tool) || matchesAny(list.patterns, request)))
    return { decision: 'allowed', because: 'The allowed-tools of the active skills name it.', skills };
  const patterns = [...new Set(lists.flatMap((list) => [...list.patterns, ...list.tools]))];
  return { decision: 'denied', because: deniedToolText(request.call.tool, skills, patterns), skills };
}

function preApprove(request: AllowedToolsRequest, lists: readonly AllowedList[]): AllowedToolsDecision {
  if (matchesAny(request.neverPreApprove ?? [], request))
    return { decision: 'allowed', because: 'The host never pre-approves it.', skills: [] };
  const skills = lists.filter(({ patterns }) => matchesAny(patterns, request)).map(({ skill }) => skill);
  if (skills.length === 0) return { decision: 'allowed', because: 'No trusted active skill asks for it.', skills };
  const because = `The allowed-tools of ${skills.map((skill) => JSON.stringify(skill)).join(', ')} name it.`;
  return { decision: 'pre-approved', because, skills };
}

function matchesAny(patterns: readonly string[], request: AllowedToolsRequest): boolean {
  return patterns.some((pattern) => matchesAllowedTool(pattern, request.call, request));
}
