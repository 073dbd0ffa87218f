/// <reference types="@repertoire/cli/virtual" />
/** Skills of a folder that the plugin put into the bundle: listed, one loaded. */
import { createSkillset, emptySkillState } from '@repertoire/skills-core';
import { skills } from 'virtual:repertoire-skills';

export async function answer(): Promise<unknown> {
  const skillset = createSkillset({ skills });
  const catalog = await skillset.catalog();
  const { text } = await skillset.load(catalog, { name: 'greeting' }, { state: emptySkillState });
  return { listed: catalog.skills.map(({ name }) => name), loaded: text.includes('Say hello.') };
}
