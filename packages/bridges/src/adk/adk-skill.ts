import { Buffer } from 'node:buffer';
import type { SkillMetadata } from '@repertoire/skills-core';
import { decodeText } from '@repertoire/skills-core/provider';
import type { SkillView } from '../view/skill-view.ts';
import { defined, type ViewedSkill } from '../view/viewed-skill.ts';

/** Level 1, as the ADK has it. */
export interface AdkFrontmatter {
  name: string;
  description: string;
  license?: string;
  compatibility?: string;
  allowedTools?: string;
  metadata?: Record<string, unknown>;
}

/** A `Skill` of `@google/adk`. */
export interface AdkSkill {
  frontmatter: AdkFrontmatter;
  instructions: string;
  resources: {
    references: Record<string, string | Buffer>;
    assets: Record<string, string | Buffer>;
    scripts: Record<string, { src: string }>;
  };
}

export function adkFrontmatter({ name, description, license, compatibility, allowedTools, metadata }: SkillMetadata): AdkFrontmatter {
  return {
    name,
    description,
    ...defined({ license, compatibility, allowedTools: allowedTools?.join(' ') }),
    metadata: { ...metadata },
  };
}

/**
 * The skill with its files. The ADK knows three folders. Agents of the ADK cannot read files
 * outside of these, so each such file is reported.
 */
export async function adkSkill(view: SkillView, skill: ViewedSkill): Promise<AdkSkill> {
  const resources: AdkSkill['resources'] = { references: {}, assets: {}, scripts: {} };
  for (const [path, { bytes }] of await view.readAll(skill)) {
    if (path === 'SKILL.md') continue;
    const [folder = '', ...rest] = path.split('/');
    const inside = rest.join('/');
    const text = decodeText(bytes);
    if ((folder === 'references' || folder === 'assets') && inside !== '') resources[folder][inside] = text ?? Buffer.from(bytes);
    else if (folder === 'scripts' && inside !== '' && text !== null) resources.scripts[inside] = { src: text };
    else view.leaveOut(skill.metadata.name, path, 'Move it below references/ or assets/; a script has to be text.');
  }
  return { frontmatter: adkFrontmatter(skill.metadata), instructions: skill.body, resources };
}
