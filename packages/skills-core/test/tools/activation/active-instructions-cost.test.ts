import { describe, expect, it } from 'vitest';
import { createSkillset, defineSkill } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { stateAfter } from '../../helpers/loaded-state.ts';

describe('activeInstructions', () => {
  it('DIS-11: reads no skill whose body stands in tool results, since every step asks', async () => {
    const provider = fixedSkillProvider([defineSkill({ name: 'haiku', description: 'Writes haiku. Use for poems.', body: 'Five.' })]);
    let reads = 0;
    const counting = {
      ...provider,
      getSkill: (...given: Parameters<typeof provider.getSkill>) => ((reads += 1), provider.getSkill(...given)),
    };
    const state = await stateAfter(await createSkillset({ provider }).open(), 'haiku');
    const textOf = async (instructions: 'tool-result' | 'with-catalog') => {
      const skillset = createSkillset({ provider: counting, surface: { instructions } });
      return (await skillset.open()).activeInstructions(state);
    };
    expect([await textOf('tool-result'), reads]).toEqual(['', 0]);
    expect([await textOf('with-catalog'), reads]).toEqual([expect.stringContaining('Five.'), 1]);
  });
});
