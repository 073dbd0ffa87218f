import { findSkill, listedVersions } from '../catalog/find-skill.ts';
import { renderDetailedList } from '../catalog/render-catalog.ts';
import { isUserInvocable } from '../catalog/skill-catalog.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { identityOf, spanAttributes } from '../events/session-events.ts';
import { frame, unloadedElement } from '../prompt/frames.ts';
import { moreSkillsText, readStartedText, unloadedText } from '../prompt/model-texts.ts';
import { listWords, quoteWord } from '../prompt/source-words.ts';
import type { AddedToolRole, SkillToolNames, SkillToolRole } from '../prompt/tool-names.ts';
import { loadedSkill, loadedSkillNames, type SkillState } from '../state/skill-state.ts';
import type { SkillInstructions } from './activation/skill-instructions.ts';
import type { OpenedApprovals } from './approvals/session-approvals.ts';
import { describeTool, type SkillToolDescription } from './describe-tool.ts';
import { loadedName } from './pinned/skill-doors.ts';
import { makeTool } from './run-tool.ts';
import { siblingFile } from './sibling-file.ts';
import { listSkillFilesTool, readSkillFileTool, type ResourceFilter } from './skill-files.ts';
import type { SkillTool } from './skill-tool.ts';
import type { AddedTool, SessionHooks, SkillToolHost } from './tool-host.ts';

/**
 * Which tools the model gets. `progressive`: load a skill, read its files, and end one where that
 * has an effect. `full`: the seven tools of the skill-card system, with listing and reading apart
 * for resources and assets.
 */
export type SkillToolSurface = 'progressive' | 'full';

/** The options that add tools. A text in place of `scripts` adds none. */
type AddingOptions<Context> = Readonly<
  Partial<Record<'discovery' | 'scripts' | 'workflows' | 'proposals', AddedTool<Context> | string | undefined>>
>;

interface AddedBy {
  readonly option: keyof AddingOptions<never>;
  /** What makes the option. */
  readonly made: string;
  /** Whether a session has a use for it. */
  readonly isUseful: (host: SkillToolHost) => boolean;
}

/** Tools of the host's options. */
export const addedTools: Readonly<Record<AddedToolRole, AddedBy>> = {
  search: {
    option: 'discovery',
    made: 'skillDiscovery(search) of @repertoire/skills-core',
    // Of one skill that the catalog shows, there is nothing to find.
    isUseful: ({ catalog }) => catalog.skills.length > 1 || catalog.cut.dropped.length > 0,
  },
  runScript: {
    option: 'scripts',
    made: 'skillScripts(runner) of @repertoire/skill-runner/scripts',
    isUseful: ({ catalog, asksPerson }) => asksPerson || catalog.listed.some(isTrusted),
  },
  runWorkflow: {
    option: 'workflows',
    made: 'skillWorkflows({ tools }) of @repertoire/skill-workflow',
    isUseful: ({ catalog }) => catalog.listed.some((skill) => isTrusted(skill) && skill.steps !== undefined),
  },
  propose: { option: 'proposals', made: 'skillProposals({ store }) of @repertoire/skill-proposals', isUseful: () => true },
};
const isAdded = (role: SkillToolRole): role is AddedToolRole => Object.hasOwn(addedTools, role);

function addedTool<Context>(role: AddedToolRole, options: AddingOptions<Context>): AddedTool<Context> | undefined {
  const given = options[addedTools[role].option];
  return typeof given === 'object' ? given : undefined;
}

const isAsset: ResourceFilter = ({ kind }) => kind === 'asset';
const isNoAsset: ResourceFilter = (entry) => !isAsset(entry);

/** What the tools of a session work with. */
export interface SkillToolsRequest<Context> {
  readonly host: SkillToolHost;
  readonly instructions: SkillInstructions;
  readonly hooks: SessionHooks | undefined;
  readonly approvals: OpenedApprovals | undefined;
  readonly surface: SkillToolSurface;
  readonly unload: boolean;
  /** Whether there is anything that a model could load. */
  readonly hasLoadable: boolean;
  /** Whether the listing is everything that the source has. */
  readonly isComplete: boolean;
  readonly context: Context;
}

const make: Readonly<Record<Exclude<SkillToolRole, AddedToolRole>, (request: SkillToolsRequest<unknown>) => SkillTool>> = {
  list: ({ host }) => listSkillsTool(host),
  load: ({ host, instructions }) => loadSkillTool(host, instructions),
  unload: ({ host, hooks, approvals }) => unloadSkillTool(host, hooks, approvals),
  readFile: ({ host, hooks }) => readSkillFileTool(host, hooks, 'readFile'),
  listResources: ({ host }) => listSkillFilesTool(host, 'listResources', isNoAsset),
  loadResource: ({ host, hooks }) => readSkillFileTool(host, hooks, 'loadResource', isNoAsset),
  listAssets: ({ host }) => listSkillFilesTool(host, 'listAssets', isAsset),
  loadAsset: ({ host, hooks }) => readSkillFileTool(host, hooks, 'loadAsset', isAsset),
};

const runs: readonly SkillToolRole[] = ['runScript', 'runWorkflow'];
/** These read skills that are loaded already. */
const readers: ReadonlySet<SkillToolRole> = new Set([
  'runScript',
  'runWorkflow',
  'readFile',
  'listResources',
  'loadResource',
  'listAssets',
  'loadAsset',
]);
const rolesOfSurface: Readonly<Record<SkillToolSurface, readonly SkillToolRole[]>> = {
  progressive: ['load', 'search', 'readFile', ...runs, 'unload', 'propose'],
  full: ['list', 'search', 'load', 'unload', 'listResources', 'loadResource', 'listAssets', 'loadAsset', ...runs, 'propose'],
};

/** The roles of a surface, in an order that never changes. */
function rolesOf(surface: SkillToolSurface, unload: boolean): readonly SkillToolRole[] {
  return rolesOfSurface[surface].filter((role) => role !== 'unload' || unload || surface === 'full');
}

/** The tools that some session may have. */
export function describeSkillTools<Context>(
  names: SkillToolNames,
  options: AddingOptions<Context>,
  { surface, unload }: { readonly surface: SkillToolSurface; readonly unload: boolean },
): readonly SkillToolDescription[] {
  return rolesOf(surface, unload).flatMap((role) =>
    isAdded(role) ? (addedTool(role, options)?.describeTool(names) ?? []) : describeTool(role, names),
  );
}

/**
 * Returns the tools of a session. If there is nothing to load, the model keeps those that read
 * skills which only a person can start, and `propose`, as an empty library may get its first skill.
 */
export function skillTools<Context>(request: SkillToolsRequest<Context>, options: AddingOptions<Context>): readonly SkillTool[] {
  const { host, surface, unload, hasLoadable, isComplete, context } = request;
  const hasFiles = host.catalog.listed.some(isUserInvocable);
  return rolesOf(surface, unload).flatMap((role): readonly SkillTool[] => {
    const isKept = role === 'propose' || (hasFiles && readers.has(role)) || (!isComplete && role === 'unload');
    if (!hasLoadable && !isKept) return [];
    if (isAdded(role)) {
      const added = addedTools[role].isUseful(host) ? addedTool(role, options) : undefined;
      return added === undefined ? [] : [added.tool(host, context)];
    }
    const tool = make[role](request);
    return [hasLoadable || role !== 'readFile' ? tool : { ...tool, description: readStartedText }];
  });
}

/** Whether ending the skill closes tools, changes the model or ends a restriction. */
export function hasLastingEffect(skill: SkillMetadata, asksPerson = false): boolean {
  if (!isTrusted(skill) && !asksPerson) return false;
  const { tools, allowedTools, model, fields } = skill;
  const hasTools = fields !== undefined && ['mcps', 'local_tools'].some((field) => Object.hasOwn(fields, field));
  return hasTools || model !== undefined || (tools?.length ?? 0) > 0 || (allowedTools?.length ?? 0) > 0;
}

/** Level 2 as a tool: `load_skill`. */
function loadSkillTool(host: SkillToolHost, instructions: SkillInstructions): SkillTool {
  const { catalog, events, names } = host;
  return makeTool(events, describeTool('load', names, catalog.toolText), async (fields, context, span) => {
    const name = fields.optionalText('name', 'skill_name', 'skill_id', 'skill', 'id');
    // Models that were taught by another system ask this tool for the list.
    if (name === undefined && fields.isSet('list_skills')) {
      return { text: skillListText(host, fields.optionalLine('start') ?? 1, names.load), events: [] };
    }
    const asked = name ?? fields.requiredText('name');
    // Links between skills are paths: `../billing/SKILL.md` asks for billing.
    const isName = catalog.listed.some((listed) => listed.name === asked);
    const skill = findSkill(catalog, (isName ? undefined : siblingFile(catalog, asked, undefined)?.skill) ?? asked);
    span.set(spanAttributes(skill));
    const request = { skill, version: fields.optionalText('version'), arguments: fields.optionalText('arguments'), by: 'model' } as const;
    return instructions.activate(request, context);
  });
}

/** `unload_skill`: ends any loaded skill, also one that left the catalog. */
function unloadSkillTool(
  { catalog, doors, events, names }: SkillToolHost,
  hooks: SessionHooks | undefined,
  approvals: OpenedApprovals | undefined,
): SkillTool {
  return makeTool(events, describeTool('unload', names), async (fields, { state, signal }, span) => {
    const name = findLoaded(state, fields.requiredText('name', 'skill_name', 'skill_id', 'skill', 'id'));
    doors.assertLoadedVersion(state, name, fields.optionalText('version'));
    await approvals?.unload(name, state);
    const version = loadedSkill(state, name)?.version ?? null;
    const skill = listedVersions(catalog.listed, name)[0] ?? { name, description: '', version };
    span.set(spanAttributes(skill));
    const text = unloadedText(name);
    const told = (await hooks?.unload(skill, text, signal)) ?? text;
    events.emit({ type: 'skill_unloaded', ...identityOf(skill) });
    return { text: frame(unloadedElement, { name }, told), events: [{ type: 'unloaded', name }] };
  });
}

function findLoaded(state: SkillState, name: string): string {
  const found = loadedName(state, name);
  if (found !== undefined) return found;
  const loaded = loadedSkillNames(state);
  const others = loaded.length === 0 ? 'No skill is loaded.' : `Loaded skills: ${listWords(loaded)}.`;
  throw new SkillError('not-loaded', `Skill ${quoteWord(name)} is not loaded. ${others}`, { skill: name });
}

/** `list_skills`, of the full surface: the catalog's own snapshot, in parts. */
function listSkillsTool(host: SkillToolHost): SkillTool {
  const { events, names } = host;
  return makeTool(events, describeTool('list', names), async (fields) => ({
    text: skillListText(host, fields.optionalLine('start') ?? 1, names.list),
    events: [],
  }));
}

/**
 * The list from a number on, as far as it fits.
 *
 * @param tool what to call for the rest
 * @throws {SkillError} `invalid-input` for a number beyond the last skill
 */
function skillListText({ catalog: { skills }, limits }: SkillToolHost, start: number, tool: string): string {
  if (start > Math.max(1, skills.length)) {
    throw new SkillError('invalid-input', `There are ${skills.length} skills, so the list cannot start at ${start}.`);
  }
  const shown = fitting(skills.slice(start - 1), limits.maxResourceCharacters).map(shortRow);
  const next = start + shown.length;
  const more = next > skills.length ? [] : [moreSkillsText(tool, next, skills.length)];
  return [renderDetailedList(shown), ...more].join('\n');
}

/** The most characters of each text of a row. The format allows 1,024 for a description. */
const maxRowCharacters = 2_000;

/** A row whose texts are bounded: one skill is listed at least, whatever it says of itself. */
function shortRow(skill: SkillMetadata): SkillMetadata {
  const long = Object.entries(skill).filter(([, value]) => typeof value === 'string' && value.length > maxRowCharacters);
  const title = skill.metadata?.['title'];
  const isLong = typeof title === 'string' && title.length > maxRowCharacters;
  if (long.length === 0 && !isLong) return skill;
  const short = Object.fromEntries(long.map(([field, value]) => [field, cut(String(value))]));
  return { ...skill, ...short, ...(isLong && { metadata: { ...skill.metadata, title: cut(title) } }) };
}

function cut(text: string): string {
  return `${text.slice(0, maxRowCharacters).toWellFormed()}…`;
}

function fitting(skills: readonly SkillMetadata[], maxCharacters: number): readonly SkillMetadata[] {
  let room = maxCharacters;
  const count = skills.findIndex((skill, index) => {
    room -= renderDetailedList([shortRow(skill)]).length;
    return room < 0 && index > 0;
  });
  return count === -1 ? skills : skills.slice(0, count);
}
