import { findSkill } from '../catalog/find-skill.ts';
import { nearNames } from '../catalog/near-names.ts';
import type { SkillCatalog } from '../catalog/skill-catalog.ts';
import type { Skill, SkillProvider, SkillResource } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { insideElement, oneLine } from '../prompt/escape.ts';
import { frame } from '../prompt/frames.ts';
import { argumentTexts, binaryText, bytesCutText, lineCutText, moreLinesText, toolTexts, untrustedContentText } from '../prompt/model-texts.ts';
import { isResourcePath, normalizeResourcePath } from '../skill/resource-path.ts';
import { resourceText, type ResourceText, type ResourceTextOptions } from '../skill/resource-text.ts';
import { loadedSkill } from '../state/skill-state.ts';
import { runTool } from './run-tool.ts';
import type { SkillTool, SkillToolContext } from './skill-tool.ts';
import { ToolInput } from './tool-input.ts';
import type { SkillToolNames } from './tool-names.ts';

/** How much of a file may be read. */
export interface ReadFileLimits {
  /** Most bytes to fetch of one file. @default 4 MiB */
  readonly maxResourceBytes: number;
  /** Most characters (UTF-16 units) in one answer. @default 20000, about 5,000 tokens */
  readonly maxResourceCharacters: number;
}

export const defaultReadFileLimits: ReadFileLimits = Object.freeze({ maxResourceBytes: 4 * 1024 * 1024, maxResourceCharacters: 20_000 });

/** The most paths that an error or a folder listing names. */
const maxPaths = 50;

/** Level 3 as a tool: `read_skill_file`. */
export function readSkillFileTool(provider: SkillProvider, catalog: SkillCatalog, names: SkillToolNames, limits: ReadFileLimits): SkillTool {
  return {
    role: 'readFile',
    name: names.readFile,
    description: toolTexts.readFile(names),
    inputSchema: {
      type: 'object',
      properties: {
        skill: { type: 'string', description: argumentTexts.readSkill },
        path: { type: 'string', description: argumentTexts.readPath },
        startLine: { type: 'integer', minimum: 1, description: argumentTexts.readStartLine },
        endLine: { type: 'integer', minimum: 1, description: argumentTexts.readEndLine },
      },
      required: ['skill', 'path'],
      additionalProperties: false,
    },
    execute: (input, context) =>
      runTool(context, async () => {
        const fields = new ToolInput(names.readFile, input);
        const skill = findSkill(catalog, fields.requiredText('skill'));
        const path = fields.requiredText('path');
        const lines = { startLine: fields.optionalLine('startLine'), endLine: fields.optionalLine('endLine') };
        if (lines.startLine !== undefined && lines.endLine !== undefined && lines.endLine < lines.startLine) {
          throw new SkillError('invalid-input', `${names.readFile} got endLine ${lines.endLine} before startLine ${lines.startLine}.`);
        }
        const version = loadedSkill(context.state, skill.name)?.version ?? skill.version;
        const resource = await find(provider, { name: skill.name, version, path, maxBytes: limits.maxResourceBytes }, context);
        const untrusted = skill.origin?.trusted !== true;
        return { text: renderResource(skill.name, resource, untrusted, names, { ...lines, maxCharacters: limits.maxResourceCharacters }), events: [] };
      }),
  };
}

interface Wanted {
  readonly name: string;
  readonly version: string | undefined;
  readonly path: string;
  readonly maxBytes: number;
}

/** Tries what the path may have meant: as written, as a Markdown link has it, and behind the skill's own name. */
async function find(provider: SkillProvider, wanted: Wanted, { signal }: SkillToolContext): Promise<SkillResource> {
  const { name, version, path, maxBytes } = wanted;
  const normalized = normalizeResourcePath(path);
  const candidates = new Set([path, normalized, normalized.startsWith(`${name}/`) ? normalized.slice(name.length + 1) : normalized]);
  for (const candidate of candidates) {
    if (!isResourcePath(candidate)) continue;
    const resource = await provider.readResource(name, candidate, { version, maxBytes, signal });
    if (resource !== null) return resource;
  }
  throw resourceNotFound(await provider.getSkill(name, { version, signal }), wanted, normalized);
}

function resourceNotFound(skill: Skill | null, { name, path }: Wanted, normalized: string): SkillError {
  const quoted = JSON.stringify(oneLine(path));
  const paths = skill?.resources.map((entry) => oneLine(entry.path)) ?? [];
  const inFolder = paths.filter((candidate) => candidate.startsWith(`${normalized}/`));
  const message = () => {
    if (normalized === 'SKILL.md') return `SKILL.md is what loading the skill returns; its other files are: ${listed(paths)}.`;
    if (inFolder.length > 0) return `${quoted} is a folder. It holds: ${listed(inFolder)}.`;
    if (paths.length === 0) return `Skill ${JSON.stringify(name)} has no files to read besides its instructions.`;
    const near = nearNames(normalized, paths);
    const didYouMean = near.length === 0 ? '' : ` Did you mean ${near.map((candidate) => JSON.stringify(candidate)).join(' or ')}?`;
    return `Skill ${JSON.stringify(name)} has no file ${quoted}.${didYouMean} Its files: ${listed(paths)}.`;
  };
  return new SkillError('resource-not-found', message(), { skill: name, path });
}

function listed(paths: readonly string[]): string {
  const rest = paths.length - maxPaths;
  return paths.slice(0, maxPaths).join(', ') + (rest > 0 ? `, and ${rest} more` : '');
}

/** What the model reads of a file: its lines inside an element that tells whose they are, and how to get the rest. */
function renderResource(name: string, resource: SkillResource, untrusted: boolean, names: SkillToolNames, options: ResourceTextOptions): string {
  const view = resourceText(resource, options);
  if (view.kind === 'binary') return binaryText(resource.path, resource.mediaType, resource.size);
  if (options.startLine !== undefined && view.totalLines > 0 && options.startLine > view.totalLines) {
    throw new SkillError('invalid-input', `${JSON.stringify(resource.path)} has ${view.totalLines} lines, so there is no line ${options.startLine}.`, { skill: name, path: resource.path });
  }
  const whole = view.startLine === 1 && !view.more;
  const attributes = {
    skill: name,
    path: resource.path,
    lines: whole ? undefined : `${view.startLine}-${view.endLine} of ${view.totalLines}${view.bytesCut ? '+' : ''}`,
    trust: untrusted ? 'untrusted' : undefined,
  };
  return [frame('skill_file', attributes, insideElement(view.text)), ...notes(view, resource, untrusted, names)].join('\n');
}

function notes(view: Extract<ResourceText, { kind: 'text' }>, resource: SkillResource, untrusted: boolean, names: SkillToolNames): string[] {
  const notes: string[] = [];
  if (view.lineCut) notes.push(lineCutText(view.endLine));
  if (view.endLine < view.totalLines) notes.push(moreLinesText(names, view.endLine + 1, view.totalLines, view.bytesCut));
  else if (view.bytesCut) notes.push(bytesCutText(resource.bytes.length, resource.size));
  if (untrusted) notes.push(untrustedContentText);
  return notes;
}
