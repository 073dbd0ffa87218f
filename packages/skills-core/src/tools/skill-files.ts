import { shownSource } from '../catalog/shown-source.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import { nearNames } from '../contract/near-names.ts';
import { compareResources } from '../contract/order.ts';
import { isResourcePath, normalizeResourcePath } from '../contract/resource-path.ts';
import type { SkillMetadata, SkillResource, SkillResourceEntry } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { identityOf, spanAttributes } from '../events/session-events.ts';
import { insideElement } from '../prompt/escape.ts';
import { frame } from '../prompt/frames.ts';
import { binaryText, bytesCutText, lineCutText, moreLinesText, untrustedContentText } from '../prompt/model-texts.ts';
import { listWords, plainWord, quoteWord } from '../prompt/source-words.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';
import { describeTool } from './describe-tool.ts';
import type { SkillInUse } from './pinned/skill-doors.ts';
import { resourceText, type ResourceText, type ResourceTextOptions } from './resource-text.ts';
import { makeTool } from './run-tool.ts';
import { siblingFile, siblingText, type SiblingFile } from './sibling-file.ts';
import type { SkillTool } from './skill-tool.ts';
import type { SessionHooks, SkillToolHost } from './tool-host.ts';

/** The most paths that an error names. */
const maxPaths = 50;
/** The most files that a list has. */
const maxFiles = 200;
/** What models call the argument that names the skill. */
const skillFields = ['skill', 'skill_id', 'skill_name', 'name', 'id'] as const;

/** Which of a skill's files a tool is about. */
export type ResourceFilter = (entry: Pick<SkillResourceEntry, 'path' | 'kind'>) => boolean;

/** `read_skill_file`, or `load_skill_resource` and `load_skill_asset`. */
export function readSkillFileTool(
  host: SkillToolHost,
  hooks: SessionHooks | undefined,
  role: 'readFile' | 'loadResource' | 'loadAsset',
  only?: ResourceFilter,
): SkillTool {
  const { doors, events, limits, names } = host;
  const tool = names[role];
  return makeTool(events, describeTool(role, names), async (fields, context, span) => {
    const options = { version: fields.optionalText('version'), call: { ...context, tool, input: fields.given } };
    const inUse = await doors.inUse(fields.requiredText(...skillFields), context, options);
    const { skill, loaded } = inUse;
    if (context.onlyAsk === true) return { text: '', events: [] };
    span.set(spanAttributes(skill));
    const path = fields.requiredText('path', 'resource_path', 'asset_path');
    const [startLine, endLine] = [fields.optionalLine('startLine'), fields.optionalLine('endLine')];
    if (startLine !== undefined && endLine !== undefined && endLine < startLine) {
      throw new SkillError('invalid-input', `${tool} got endLine ${endLine} before startLine ${startLine}.`);
    }
    const resource = await findResource(host, hooks, inUse, path, context.signal, only);
    const text = renderFile(skill, resource, tool, { startLine, endLine, maxCharacters: limits.maxResourceCharacters });
    events.reportInvisible(skill.name, resource.path, text);
    await events.emitText(text, ({ digest }) => {
      const pinned = loaded !== undefined && typeof skill.content === 'string';
      return { type: 'resource_read', path: resource.path, bytes: resource.bytes.length, digest, pinned, ...identityOf(skill) };
    });
    return { text, events: [] };
  });
}

/** `list_skill_resources` and `list_skill_assets`, of the full surface. */
export function listSkillFilesTool(
  { audience, doors, events, names }: SkillToolHost,
  role: 'listResources' | 'listAssets',
  only: ResourceFilter,
): SkillTool {
  return makeTool(events, describeTool(role, names), async (fields, context) => {
    const asked = fields.requiredText(...skillFields);
    const { skill } = await doors.inUse(asked, context, { version: fields.optionalText('version') });
    // Who may not load a skill may not list its files.
    await audience.assertAllowed('load', skill);
    const entries = skill.resources.filter(only).sort(compareResources);
    return { text: frame('skill_files', { skill: skill.name, source: shownSource(skill) }, renderList(entries)), events: [] };
  });
}

function renderList(entries: readonly SkillResourceEntry[]): string {
  if (entries.length === 0) return '(none)';
  const lines = entries.slice(0, maxFiles).map(({ path, mediaType, size, description }) => {
    const about = description === undefined ? '' : `: ${plainWord(description)}`;
    return `${plainWord(path)} (${plainWord(mediaType)}${size === undefined ? '' : `, ${size} bytes`})${about}`;
  });
  const rest = entries.length - lines.length;
  return [...lines, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n');
}

/**
 * Reads a file of a skill, trying what its path may have meant: as written, as a Markdown link has
 * it, and behind the skill's own name.
 *
 * @throws {SkillError} `invalid-path`, `permission-denied`, `skill-changed`, or
 *   `resource-not-found` with near paths and what there is
 */
async function findResource(
  { audience, catalog, doors, limits, names }: SkillToolHost,
  hooks: SessionHooks | undefined,
  inUse: SkillInUse,
  path: string,
  signal: AbortSignal | undefined,
  only: ResourceFilter = () => true,
): Promise<SkillResource> {
  const { skill } = inUse;
  const { name } = skill;
  // A link to another skill climbs out of this one, and the model can load that skill.
  const sibling = siblingFile(catalog, path, name);
  if (sibling !== null && path.includes('..')) throw resourceElsewhere(names, name, path, sibling);
  const normalized = normalizeResourcePath(path);
  const candidates = new Set([path, normalized, normalized.startsWith(`${name}/`) ? normalized.slice(name.length + 1) : normalized]);
  for (const candidate of candidates) {
    if (!mayBeRead(candidate)) continue;
    const wanted = (await hooks?.path(skill, candidate, signal)) ?? candidate;
    if (!mayBeRead(wanted)) continue;
    await audience.assertAllowed('read', skill, wanted);
    const resource = await doors.readFile(inUse, wanted, { maxBytes: limits.maxResourceBytes, signal });
    if (resource !== null) return (await hooks?.file(skill, resource, signal)) ?? resource;
  }
  if (sibling !== null) throw resourceElsewhere(names, name, path, sibling);
  // Who may not load a skill does not learn its files from an error.
  const mayList = await audience.mayDo('load', skill);
  throw resourceNotFound(mayList ? skill.resources.filter(only) : null, name, path, normalized);
}

function resourceElsewhere(names: SkillToolNames, skill: string, path: string, sibling: SiblingFile): SkillError {
  return new SkillError('resource-not-found', siblingText(path, sibling, names), { skill, path });
}

/** What loading returns has its arguments and its frame; the raw `SKILL.md` would have neither. */
function mayBeRead(path: string): boolean {
  return isResourcePath(path) && path !== 'SKILL.md';
}

function resourceNotFound(files: readonly SkillResourceEntry[] | null, name: string, path: string, normalized: string): SkillError {
  const paths = files?.map((entry) => entry.path).sort() ?? [];
  const inFolder = paths.filter((candidate) => candidate.startsWith(`${normalized}/`));
  const message = () => {
    if (normalized === 'SKILL.md' || normalized === `${name}/SKILL.md`)
      return `SKILL.md is what loading the skill returns.${paths.length === 0 ? '' : ` Its other files are: ${listWords(paths, maxPaths)}.`}`;
    if (files === null) return `Skill ${quoteWord(name)} has no file ${quoteWord(path)}.`;
    if (inFolder.length > 0) return `${quoteWord(path)} is a folder. It holds: ${listWords(inFolder, maxPaths)}.`;
    if (paths.length === 0) return `Skill ${quoteWord(name)} has no files to read besides its instructions.`;
    const near = nearNames(normalized, paths);
    const didYouMean = near.length === 0 ? '' : ` Did you mean ${near.map(quoteWord).join(' or ')}?`;
    return `Skill ${quoteWord(name)} has no file ${quoteWord(path)}.${didYouMean} Its files: ${listWords(paths, maxPaths)}.`;
  };
  return new SkillError('resource-not-found', message(), { skill: name, path });
}

/** Lines of a file inside an element, and how to get the rest. */
function renderFile(skill: SkillMetadata, resource: SkillResource, tool: string, options: ResourceTextOptions): string {
  const view = resourceText(resource, options);
  if (view.kind === 'binary') return binaryText(resource.path, resource.mediaType, resource.size);
  if (options.startLine !== undefined && view.totalLines > 0 && options.startLine > view.totalLines) {
    const message = `${quoteWord(resource.path)} has ${view.totalLines} lines, so there is no line ${options.startLine}.`;
    throw new SkillError('invalid-input', message, { skill: skill.name, path: resource.path });
  }
  const whole = view.startLine === 1 && !view.more;
  const attributes = {
    skill: skill.name,
    path: resource.path,
    lines: whole ? undefined : `${view.startLine}-${view.endLine} of ${view.totalLines}${view.bytesCut ? '+' : ''}`,
    source: shownSource(skill),
    trust: isTrusted(skill) ? undefined : 'untrusted',
  };
  const parts = [frame('skill_file', attributes, insideElement(view.text)), ...notes(view, resource, tool)];
  if (!isTrusted(skill)) parts.push(untrustedContentText);
  return parts.join('\n');
}

function* notes(view: Extract<ResourceText, { kind: 'text' }>, resource: SkillResource, tool: string): Generator<string> {
  if (view.lineCut) yield lineCutText(view.endLine);
  if (view.endLine < view.totalLines) yield moreLinesText(tool, view.endLine + 1, view.totalLines, view.bytesCut);
  else if (view.bytesCut) yield bytesCutText(resource.bytes.length, resource.size);
}
