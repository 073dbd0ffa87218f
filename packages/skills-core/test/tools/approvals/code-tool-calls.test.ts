import type { SkillProvider } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { changingSource, deskOf, helper } from '../../helpers/approval-world.ts';

const load = { name: 'helper' };

describe('calls of tools that execute code', () => {
  it('APR-7: a skill whose content cannot be told now stands in the context all the same', async () => {
    const { provider } = changingSource([helper()]);
    let isDown = false;
    const contentOf: SkillProvider['contentOf'] = async (...given) => {
      if (isDown) throw new Error('down');
      return await provider.contentOf?.(...given);
    };
    const desk = deskOf({ ...provider, contentOf }, {}, { allowedTools: undefined });
    await desk.call('load_skill', load, 'c1', () => ({ answer: 'conversation', grants: ['load', 'code-tools'] }));
    expect(await desk.judge('bash')).toBe('allowed');
    isDown = true;
    expect(await desk.judge('bash')).toBe('needs-approval');
  });

  it('APR-7: nobody is asked about a call that is denied anyway', async () => {
    const desk = deskOf(changingSource([helper()]).provider, {}, { gates: { tools: ['pay', 'bash'] } });
    await desk.call('load_skill', load, 'c1', () => 'conversation');
    expect(await desk.judge('bash')).toBe('denied');
  });
});
