import type { Skillset } from '@repertoire/skills-core';
import { tanstackSkillSource } from '../../../bridges/src/tanstack.ts';

/** What a bridge serves of a skill: its instructions and a file. Empty if it serves none. */
export async function servedBy(skillset: Skillset, name: string): Promise<string> {
  const source = tanstackSkillSource(skillset);
  const texts = [source.load(name), source.readResource(name, 'guide.md')];
  return (await Promise.all(texts.map(async (text) => String(await text.catch(() => ''))))).join('\n');
}
