import { describe, expect, it } from 'vitest';
import { createSkillset, emptySkillState, type SkillActivity } from '@repertoire/skills-core';
import { sha256Hex } from '@repertoire/skills-core/provider';

const body = 'Ask for the number of the invoice.';
const skills = [{ name: 'billing', description: 'Money.', body, resources: { 'references/terms.md': 'Thirty days.' } }];

describe('texts that activities measure', () => {
  it('DIS-15: with a listener, tokens and digest are those of the text that the model got', async () => {
    const heard: SkillActivity[] = [];
    const skillset = createSkillset({ skills, countTokens: (text) => text.length, onEvent: (activity) => heard.push(activity) });
    const session = await skillset.open();
    const context = { state: emptySkillState };
    const loaded = await session.load({ name: 'billing' }, context);
    const read = session.tools.find(({ role }) => role === 'readFile');
    const file = await read?.execute({ skill: 'billing', path: 'references/terms.md' }, context);
    expect(heard).toContainEqual(
      expect.objectContaining({ type: 'skill_loaded', tokens: loaded.text.length, digest: await sha256Hex(loaded.text) }),
    );
    expect(heard).toContainEqual(expect.objectContaining({ type: 'resource_read', digest: await sha256Hex(file?.text ?? '') }));
  });

  it('DIS-15: without one, nothing is counted', async () => {
    const counted: string[] = [];
    const countTokens = (text: string) => (counted.push(text), text.length);
    const session = await createSkillset({ skills, countTokens }).open();
    const { text } = await session.load({ name: 'billing' }, { state: emptySkillState });
    expect(text).toContain(body);
    expect(counted.filter((one) => one.includes(body))).toEqual([]);
  });
});
