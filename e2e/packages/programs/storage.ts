/** Skills that were published to storage, and are read from there. */
import { publishSkillsToStorage, storageSkillProvider, unstorageSkillStore } from '@repertoire/skill-storage';
import { createSkillset, defineSkill, SkillRegistry } from '@repertoire/skills-core';
import { createStorage } from 'unstorage';

const invoices = defineSkill({
  name: 'invoices',
  description: 'Writes invoices. Use when asked for one.',
  body: 'Number it.',
  resources: { 'assets/stamp.bin': new Uint8Array([0, 255, 7]) },
});

export async function answer(): Promise<unknown> {
  const store = unstorageSkillStore(createStorage());
  await publishSkillsToStorage(store, new SkillRegistry({ skills: [invoices] }));
  const skillset = createSkillset({ provider: storageSkillProvider({ label: 'team', store, trusted: true }) });
  const { provider } = skillset;
  const { skills } = (await skillset.open()).catalog;
  const skill = await provider.getSkill('invoices');
  const stamp = await provider.readResource('invoices', 'assets/stamp.bin');
  return { listed: skills.map(({ name, origin }) => [name, origin?.kind]), body: skill?.body, stamp: [...(stamp?.bytes ?? [])] };
}
