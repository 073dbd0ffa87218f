import type { SkillDefinition, SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';

/** A skill with two files, all of whose contents tell a generation. */
function skillOf(name: string, number: number): SkillDefinition {
  return {
    name,
    description: `Does ${name}, generation ${number}.`,
    body: `Body of ${name}, generation ${number}.`,
    resources: {
      'references/guide.md': `Guide of ${name}, generation ${number}.`,
      'assets/data.bin': new Uint8Array([0xff, 0xfe, 0, number, ...new TextEncoder().encode(name)]),
    },
  };
}

/** A library whose every byte tells its generation, so that a mix is seen. */
export function generation(number: number, names: readonly string[] = ['alpha', 'beta']): SkillProvider {
  return fixedSkillProvider(names.map((name) => skillOf(name, number)));
}

/** Reads everything of a provider, and gives the generations that it saw. */
export async function generationsSeen(provider: SkillProvider): Promise<number[]> {
  const seen = new Set<number>();
  const note = (text: string | undefined) => seen.add(Number(/generation (\d+)/.exec(text ?? '')?.[1]));
  for (const { name, description } of (await provider.listSkills()).skills) {
    note(description);
    const skill = await provider.getSkill(name);
    note(skill?.description);
    note(skill?.body);
    for (const { path } of skill?.resources ?? []) {
      const bytes = (await provider.readResource(name, path))?.bytes;
      if (path.endsWith('.bin')) seen.add(bytes?.[3] ?? Number.NaN);
      else note(new TextDecoder().decode(bytes));
    }
  }
  return [...seen];
}
