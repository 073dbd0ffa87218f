/// <reference types="@repertoire/cli/virtual" />
/** Skills of a folder that the plugin put into the bundle: listed, one loaded. */
import { createSkillset, emptySkillState } from '@repertoire/skills-core';
import { skills } from 'virtual:repertoire-skills';

export async function answer(): Promise<unknown> {
  const skillset = createSkillset({ skills });
  const session = await skillset.open();
  const { text } = await session.load({ name: 'greeting' }, { state: emptySkillState });
  return { listed: session.catalog.skills.map(({ name }) => name), loaded: text.includes('Say hello.') };
}
