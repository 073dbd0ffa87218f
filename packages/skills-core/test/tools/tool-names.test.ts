import { describe, expect, it } from 'vitest';
import { createSkillset } from '@repertoire/skills-core';
import { assertNoReservedToolNames } from '@repertoire/skills-core/adapter';
import { resolveSkillToolNames } from '../../src/prompt/tool-names.ts';
import { defaultSkillToolNames } from '../../src/prompt/tool-names.ts';

const skills = [{ name: 'a', description: 'Does a. Use for a.', body: 'Do a.' }];

describe('tool names', () => {
  it('DIS-8: renamed tools are renamed in every text', async () => {
    const skillset = createSkillset({ skills, surface: { names: { load: 'use_skill', readFile: 'open_file' } } });
    const session = await skillset.open();
    expect(session.tools.map((tool) => tool.name)).toEqual(['use_skill', 'open_file']);
    expect(session.catalog.text).toContain('call use_skill');
    expect(JSON.stringify([session.catalog.text, session.tools])).not.toMatch(/load_skill|read_skill_file/);
    const result = await session.tools[0]?.execute({ name: 'a' }, { state: session.state([]) });
    expect(session.state([{ tool: 'use_skill', input: { name: 'a' }, output: result?.text ?? '' }]).loaded).toHaveProperty('a');
  });

  it.each([{ load: 'has space' }, { load: '' }, { load: '1st' }, { load: 'x'.repeat(65) }, { load: 'read_skill_file' }])(
    'DIS-8: refuses %j',
    (names) => {
      expect(() => resolveSkillToolNames(names)).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    },
  );

  it('DIS-8: a tool of the host cannot take the name of a skill tool', () => {
    expect(() => assertNoReservedToolNames(['search', 'load_skill'], defaultSkillToolNames)).toThrow(
      expect.objectContaining({ code: 'reserved-tool-name' }),
    );
    expect(() => assertNoReservedToolNames(['search', 'toString'], defaultSkillToolNames)).not.toThrow();
  });
});
