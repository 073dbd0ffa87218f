import type { SkillCatalog, SkillProvider } from '@repertoire/skills-core';
import { decodeText } from '@repertoire/skills-core/provider';
import { estimateTokenCount } from 'tokenx';

/** Estimated cost of skills in tokens. */
export interface Costs {
  /** The catalog, which is part of every request. */
  readonly catalog: number;
  /** All instructions and text files, which would be part of every request without skills. */
  readonly everything: number;
  /** Number of text files, without the SKILL.md files. */
  readonly files: number;
}

export async function costsOf(provider: SkillProvider, catalog: SkillCatalog): Promise<Costs> {
  let everything = 0;
  let files = 0;
  for (const { name } of catalog.skills) {
    const skill = await provider.getSkill(name);
    if (skill === null) continue;
    everything += estimateTokenCount(skill.body);
    for (const { path } of skill.resources) {
      const resource = await provider.readResource(name, path);
      const text = resource === null ? null : decodeText(resource.bytes);
      if (text === null) continue;
      everything += estimateTokenCount(text);
      files += 1;
    }
  }
  return { catalog: catalog.tokens, everything, files };
}

/** The tokens of a text, estimated. */
export function tokensOf(text: string): number {
  return estimateTokenCount(text);
}
