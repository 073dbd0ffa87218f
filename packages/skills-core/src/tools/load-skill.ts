import { findSkill, skillNotFound } from '../catalog/find-skill.ts';
import type { SkillCatalog } from '../catalog/skill-catalog.ts';
import type { Skill, SkillProvider } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { insideElement, oneLine } from '../prompt/escape.ts';
import { contentElement, frame } from '../prompt/frames.ts';
import { alreadyActiveText, argumentTexts, filesText, moreFilesText, toolTexts, untrustedContentText } from '../prompt/model-texts.ts';
import { fingerprint } from '../state/fingerprint.ts';
import { loadedSkill } from '../state/skill-state.ts';
import { eventOf } from '../state/transcript.ts';
import { runTool } from './run-tool.ts';
import type { SkillTool } from './skill-tool.ts';
import { ToolInput } from './tool-input.ts';
import type { SkillToolNames } from './tool-names.ts';

/** The most files that a loaded skill lists, and the most characters of their list. The rest can still be read by path. */
const maxListedFiles = 50;
const maxListedCharacters = 2_000;

/** Level 2 as a tool: `load_skill`. */
export function loadSkillTool(provider: SkillProvider, catalog: SkillCatalog, names: SkillToolNames): SkillTool {
  return {
    role: 'load',
    name: names.load,
    description: toolTexts.load(names),
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: argumentTexts.loadName },
        arguments: { type: 'string', description: argumentTexts.loadArguments },
        version: { type: 'string', description: argumentTexts.loadVersion },
      },
      required: ['name'],
      additionalProperties: false,
    },
    execute: (input, context) =>
      runTool(context, async () => {
        const fields = new ToolInput(names.load, input);
        const { name } = findSkill(catalog, fields.requiredText('name'));
        const version = fields.optionalText('version');
        const skillArguments = fields.optionalText('arguments');
        const skill = await provider.getSkill(name, { version, signal: context.signal });
        if (skill === null) throw version === undefined ? gone(catalog, name) : noSuchVersion(catalog, name, version);
        // The author may have closed it to models since the catalogue was read.
        if (skill.disableModelInvocation === true) throw skillNotFound(without(catalog, name), name);

        const text = renderLoadedSkill(skill, skillArguments, names);
        const loaded = loadedSkill(context.state, name);
        if (loaded?.inContext && loaded.digest === fingerprint(text)) return { text: alreadyActiveText(name), events: [] };
        const event = eventOf({ tool: names.load, input, output: text }, names);
        return { text, events: event === null ? [] : [event] };
      }),
  };
}

/**
 * What the model reads of a loaded skill: the body as its author wrote it, inside an element that names the skill and its source, then the files that can be
 * read further. The contents of those files are never in it.
 */
export function renderLoadedSkill(skill: Skill, skillArguments: string | undefined, names: SkillToolNames): string {
  const untrusted = skill.origin?.trusted !== true;
  const parts = [insideElement(skill.body)];
  if (skillArguments !== undefined) parts.push(`ARGUMENTS: ${insideElement(skillArguments)}`);
  const files = listFiles(skill, names);
  if (files !== '') parts.push(files);
  if (untrusted) parts.push(untrustedContentText);
  return frame(
    contentElement,
    { name: skill.name, version: skill.version, source: skill.origin?.label, trust: untrusted ? 'untrusted' : undefined },
    parts.filter((part) => part !== '').join('\n\n'),
  );
}

function listFiles({ name, resources }: Skill, names: SkillToolNames): string {
  if (resources.length === 0) return '';
  const lines: string[] = [];
  let characters = 0;
  for (const { path } of resources) {
    const line = insideElement(oneLine(path));
    characters += line.length + 1;
    if (lines.length === maxListedFiles || characters > maxListedCharacters) break;
    lines.push(line);
  }
  const rest = resources.length - lines.length;
  if (rest > 0) lines.push(moreFilesText(rest));
  return frame('skill_files', {}, [filesText(name, names), ...lines].join('\n'));
}

function gone(catalog: SkillCatalog, name: string): SkillError {
  const others = skillNotFound(without(catalog, name), name).message;
  return new SkillError('skill-not-found', `Skill ${JSON.stringify(name)} has been removed since the list of skills was made. ${others}`, { skill: name });
}

function noSuchVersion(catalog: SkillCatalog, name: string, version: string): SkillError {
  const versions = catalog.listed.filter((skill) => skill.name === name).map((skill) => skill.version ?? '(none)');
  return new SkillError('skill-not-found', `Skill ${JSON.stringify(name)} has no version ${JSON.stringify(version)}. It has: ${versions.join(', ')}. Leave version out to get the newest.`, { skill: name });
}

function without(catalog: SkillCatalog, name: string): SkillCatalog {
  return { ...catalog, skills: catalog.skills.filter((skill) => skill.name !== name) };
}
