import { describe, expect, it } from 'vitest';
import { createSkillset, defineSkill, inCodeSkillProvider } from '@repertoire/skills-core';
import { stateAfter } from '../../helpers/loaded-state.ts';

describe('activeInstructions', () => {
  it('DIS-11: reads no skill whose body stands in tool results, since every step asks', async () => {
    const provider = inCodeSkillProvider([defineSkill({ name: 'haiku', description: 'Writes haiku. Use for poems.', body: 'Five.' })]);
    let reads = 0;
    const counting = {
      ...provider,
      getSkill: (...given: Parameters<typeof provider.getSkill>) => ((reads += 1), provider.getSkill(...given)),
    };
    const state = await stateAfter(await createSkillset({ provider }).open(), 'haiku');
    const textOf = async (bodies: 'tool-result' | 'by-mode') => {
      const skillset = createSkillset({ provider: counting, bodies });
      return (await skillset.open()).activeInstructions(state);
    };
    expect([await textOf('tool-result'), reads]).toEqual(['', 0]);
    expect([await textOf('by-mode'), reads]).toEqual([expect.stringContaining('Five.'), 1]);
  });
});
