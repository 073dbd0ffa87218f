import type { SkillToolRole } from '@repertoire/skills-core/internal';
import type { UIMessage } from 'ai';

/** What a part of a UI message says about skills. */
export interface SkillPart {
  /** `load`, `unload`, `readFile`, …; `gated` for a refused tool of the host. */
  readonly role: SkillToolRole | 'gated';
  /** The skill, or the first that opens a `gated` tool. `undefined` while unknown or for all. */
  readonly skill: string | undefined;
  /** Path of the file that is read or run. */
  readonly path: string | undefined;
  /** Arguments that the skill is loaded with. */
  readonly arguments: string | undefined;
  /** Whether a person started it with `/name`, and not the model. */
  readonly byUser: boolean;
  /** `waiting`: for a person. `denied`: a person did. `refused`: a gate did. */
  readonly state: 'running' | 'waiting' | 'done' | 'failed' | 'denied' | 'refused';
  /** Text of the forked agent: so far, or the final answer. */
  readonly forked: string | undefined;
  /** A label for people: `Loaded skill: billing`. */
  readonly label: string;
}

const words: Readonly<Record<SkillToolRole, readonly [running: string, done: string]>> = {
  load: ['Loading skill', 'Loaded skill'],
  search: ['Searching skills', 'Searched skills'],
  unload: ['Ending skill', 'Ended skill'],
  readFile: ['Reading', 'Read'],
  runScript: ['Running', 'Ran'],
  runWorkflow: ['Running workflow', 'Ran workflow'],
  propose: ['Proposing skill', 'Proposed skill'],
  loadResource: ['Reading', 'Read'],
  loadAsset: ['Reading', 'Read'],
  list: ['Listing skills', 'Listed skills'],
  listResources: ['Listing files of', 'Listed files of'],
  listAssets: ['Listing assets of', 'Listed assets of'],
};

/**
 * Reads a part of a UI message. Returns `null` for a part that has nothing to do with skills. It
 * recognizes calls of skill tools by their metadata, whatever their name is. It imports nothing
 * from the SDK, so pages stay small. A refusal of a gate is recognized by its text, so let
 * `onError` of your stream pass on the message of a `SkillError`.
 *
 * @example
 * ```ts
 * import { skillPartOf } from '@repertoire/adapter-vercel-ai/ui';
 * import type { UIMessage } from 'ai';
 *
 * export function skillLines(message: UIMessage): string[] {
 *   return message.parts.flatMap((part) => skillPartOf(part)?.label ?? []); // ['Loaded skill: billing']
 * }
 * ```
 */
export function skillPartOf(part: UIMessage['parts'][number]): SkillPart | null {
  if (!('toolCallId' in part)) return null;
  const { role, by, openedBy } = metadataOf(part.toolMetadata);
  if (Array.isArray(openedBy)) return refusalOf(part, openedBy);
  if (typeof role !== 'string' || !isRole(role)) return null;
  const skill = textOf(part.input, 'skill') ?? textOf(part.input, 'name');
  const path = textOf(part.input, role === 'runScript' ? 'script' : 'path');
  const what = role === 'search' ? [textOf(part.input, 'query')] : [skill, path];
  const output = part.state === 'output-available' && typeof part.output === 'string' ? part.output : '';
  const state = stateOf(part, output);
  const forked = /^<skill_result[^>]*>\n([^]*)\n<\/skill_result>$/.exec(output)?.[1];
  return {
    role,
    skill,
    path,
    arguments: textOf(part.input, 'arguments'),
    byUser: by === 'user',
    state,
    forked,
    label: labelOf(role, state, what.filter((word) => word !== undefined).join('/')),
  };
}

type CallPart = Extract<UIMessage['parts'][number], { toolCallId: string }>;

/** Only gated calls: the host shows its other calls. */
function refusalOf(part: CallPart, openedBy: readonly unknown[]): SkillPart | null {
  const tool = part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length);
  const told = part.state === 'output-error' ? part.errorText : part.state === 'output-denied' ? part.approval.reason : undefined;
  // What `lockedToolText` and `changedToolText` of the core begin with.
  if (told?.startsWith(`The tool ${tool} is locked`) !== true) return null;
  const skill = openedBy.find((name) => typeof name === 'string');
  return {
    role: 'gated',
    skill,
    path: undefined,
    arguments: undefined,
    byUser: false,
    state: 'refused',
    forked: undefined,
    label: `Refused ${tool}${skill === undefined ? '' : `: it needs the skill ${skill}`}`,
  };
}

function stateOf(part: CallPart, output: string): Exclude<SkillPart['state'], 'refused'> {
  switch (part.state) {
    case 'output-available':
      if (part.preliminary === true) return 'running';
      return output.startsWith('Error (') ? 'failed' : 'done';
    case 'output-error':
      return 'failed';
    case 'output-denied':
      return 'denied';
    case 'approval-requested':
      return 'waiting';
    default:
      return 'running';
  }
}

function labelOf(role: SkillToolRole, state: ReturnType<typeof stateOf>, what: string): string {
  const [running, done] = words[role];
  const behind = what === '' ? '' : `: ${what}`;
  switch (state) {
    case 'done':
      return `${done}${behind}`;
    case 'running':
      return `${running}${behind} …`;
    case 'waiting':
      return `${running}${behind} (waiting for approval)`;
    case 'denied':
      return `${running}${behind} (denied)`;
    case 'failed':
      return `${running}${behind} (failed)`;
  }
}

function metadataOf(metadata: unknown): { readonly role?: unknown; readonly by?: unknown; readonly openedBy?: unknown } {
  const own = typeof metadata === 'object' && metadata !== null ? (metadata as { readonly repertoire?: unknown }).repertoire : undefined;
  return typeof own === 'object' && own !== null ? own : {};
}

function isRole(role: string): role is SkillToolRole {
  return Object.hasOwn(words, role);
}

function textOf(input: unknown, name: string): string | undefined {
  const value: unknown = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
