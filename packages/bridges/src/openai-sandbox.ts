// Anything exported here is public API.
import type { BridgeArguments, BridgeSource } from './view/bridge-options.ts';
import { skillView, type SkillView } from './view/skill-view.ts';
import type { ViewedSkill } from './view/viewed-skill.ts';

/** A file of a manifest. */
interface SandboxFile {
  type: 'file';
  content: Uint8Array;
}

/** A folder of a manifest. */
interface SandboxFolder {
  type: 'dir';
  children: Record<string, SandboxFile | SandboxFolder>;
}

/** A `SkillDescriptor` of the sandbox of OpenAI Agents. */
export interface SandboxSkillDescriptor {
  name: string;
  description: string;
  content: Uint8Array;
  scripts?: Record<string, SandboxFile | SandboxFolder>;
  references?: Record<string, SandboxFile | SandboxFolder>;
  assets?: Record<string, SandboxFile | SandboxFolder>;
  compatibility?: string[];
}

/**
 * What `skills({ lazyFrom })` takes: the folders, and an index. The sandbox copies a folder when
 * the model asks for its skill.
 */
export interface SandboxLazySkills {
  source: SandboxFolder;
  index: { name: string; description: string; path: string }[];
}

/**
 * Returns skills for `skills({ skills: … })` of `@openai/agents/sandbox`: all of them are copied
 * into the sandbox when it starts. A descriptor knows the folders scripts, references and assets; a
 * file elsewhere is left out and reported.
 *
 * @throws {SkillError} `invalid-options` for an option that does not exist; what the source rejects
 *   with
 * @example
 * ```ts
 * import { sandboxSkillDescriptors, type SandboxSkillDescriptor } from '@repertoire/bridges/openai-sandbox';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * // skills({ skills: await descriptorsOf(skillset) })
 * export const descriptorsOf = (skillset: Skillset): Promise<SandboxSkillDescriptor[]> => sandboxSkillDescriptors(skillset);
 * ```
 */
export async function sandboxSkillDescriptors<Context = undefined>(
  source: BridgeSource<Context>,
  ...[options = {}]: BridgeArguments<Context>
): Promise<SandboxSkillDescriptor[]> {
  const view = skillView('sandboxSkillDescriptors', 'OpenAI Agents', source, options);
  return await Promise.all(
    (await view.getAll()).map(async (skill) => {
      const { children } = await folderOf(view, skill);
      const { name, description, compatibility } = skill.metadata;
      const descriptor: SandboxSkillDescriptor = { name, description, content: skill.skillMd };
      if (compatibility !== undefined) descriptor.compatibility = [compatibility];
      for (const [path, entry] of Object.entries(children)) {
        if (entry.type === 'dir' && isKnownFolder(path)) descriptor[path] = entry.children;
        else if (path !== 'SKILL.md') view.leaveOut(name, path, 'Use lazySandboxSkills, which serves all files.');
      }
      return descriptor;
    }),
  );
}

/**
 * Returns skills for `skills({ lazyFrom })` of `@openai/agents/sandbox`: the model reads the index,
 * and a skill is copied into the sandbox when it asks for it. All files are served. They are read
 * now, and are those of now.
 *
 * @throws {SkillError} `invalid-options` for an option that does not exist; what the source rejects
 *   with
 * @example
 * ```ts
 * import { lazySandboxSkills, type SandboxLazySkills } from '@repertoire/bridges/openai-sandbox';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * // skills({ lazyFrom: await lazySkillsOf(skillset) })
 * export const lazySkillsOf = (skillset: Skillset): Promise<SandboxLazySkills> => lazySandboxSkills(skillset);
 * ```
 */
export async function lazySandboxSkills<Context = undefined>(
  source: BridgeSource<Context>,
  ...[options = {}]: BridgeArguments<Context>
): Promise<SandboxLazySkills> {
  const view = skillView('lazySandboxSkills', 'OpenAI Agents', source, options);
  const skills = await view.getAll();
  const folders = await Promise.all(skills.map(async (skill) => [skill.metadata.name, await folderOf(view, skill)] as const));
  return {
    source: { type: 'dir', children: Object.fromEntries(folders) },
    index: skills.map(({ metadata: { name, description } }) => ({ name, description, path: name })),
  };
}

async function folderOf(view: SkillView, skill: ViewedSkill): Promise<SandboxFolder> {
  const root = emptyFolder();
  for (const [path, { bytes }] of await view.readAll(skill)) {
    const names = path.split('/');
    const last = names.pop() ?? '';
    let folder = root;
    for (const name of names) {
      const next = folder.children[name];
      const inner = next?.type === 'dir' ? next : emptyFolder();
      folder.children[name] = inner;
      folder = inner;
    }
    folder.children[last] = { type: 'file', content: bytes };
  }
  return root;
}

/** Paths of a skill are names that its author chose, `__proto__` among them. */
function emptyFolder(): SandboxFolder {
  return { type: 'dir', children: Object.create(null) as SandboxFolder['children'] };
}

function isKnownFolder(path: string): path is 'scripts' | 'references' | 'assets' {
  return path === 'scripts' || path === 'references' || path === 'assets';
}
