import { createSkillset, emptySkillState, skillDiscovery, SkillRegistry, type SkillDefinition } from '@repertoire/skills-core';
import type { SkillSearchRequest } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { createSkillSearch } from '../src/index.ts';

/** A skill that everybody sees, or one of a tenant. */
const skill = (name: string, description: string, more: Partial<SkillDefinition> = {}): SkillDefinition => ({
  name,
  description,
  body: 'Do it.',
  ...more,
});
const ofTenant = (tenant: string): Partial<SkillDefinition> => ({ metadata: { tenant } });

/** What `search_skills` answers to a tenant. */
async function askedBy(tenant: string, skills: readonly SkillDefinition[], query: string): Promise<string> {
  const provider = new SkillRegistry({ skills });
  const skillset = createSkillset({
    provider,
    audience: { select: (each, context: string) => each.metadata?.['tenant'] === undefined || each.metadata['tenant'] === context },
    discovery: skillDiscovery(createSkillSearch(provider), { mode: 'search' }),
  });
  const session = await skillset.open({ context: tenant });
  const tool = session.tools.find(({ role }) => role === 'search');
  return (await tool?.execute({ query }, { state: emptySkillState }))?.text ?? 'no tool';
}

describe('DIS-14: a search never tells of what its asker does not have', () => {
  const versions = [
    skill('report', 'Writes reports.', { version: '1.0.0', body: 'Quarterly numbers.' }),
    skill('report', 'Confidential: takeover of Acme.', { version: '2.0.0', body: 'Bankruptcy plan.', ...ofTenant('A') }),
    skill('faq', 'Answers questions.'),
    skill('other', 'Other things.'),
  ];

  it('words of a version that it does not have find nothing; words of its own version find that one (ATK-72)', async () => {
    for (const query of ['takeover', 'acme', 'confidential', 'bankruptcy plan']) {
      expect(await askedBy('B', versions, query), query).toContain('No skill was found.');
      expect(await askedBy('A', versions, query), query).toContain('<skill name="report"');
    }
    expect(await askedBy('B', versions, 'reports')).toContain('<skill name="report"');
    expect(await askedBy('B', versions, 'quarterly')).toContain('<skill name="report"');
    expect(await askedBy('A', versions, 'quarterly')).toContain('No skill was found.');
  });

  it('skills that it does not have neither crowd out its own, nor change the answer by a letter (ATK-73)', async () => {
    const own = [
      skill('a-one', 'Invoice and payroll.'),
      skill('b-two', 'Invoice and salary.'),
      skill('c-three', 'Payroll, payroll and other words.'),
    ];
    const hidden = Array.from({ length: 150 }, (_, index) =>
      skill(`h${index}`, 'Payroll things.', { body: 'payroll salary zebra', ...ofTenant('A') }),
    );
    for (const query of ['payroll salary', 'salary', 'invoice payroll zebra'])
      expect(await askedBy('B', [...own, ...hidden], query), query).toBe(await askedBy('B', own, query));
  });

  it('of a name, the newest version that is accepted is the candidate', async () => {
    using search = createSkillSearch(new SkillRegistry({ skills: versions }));
    const found = async (query: string, filter: SkillSearchRequest['filter'] = {}) =>
      (await search.search(query, { filter })).candidates.map(({ name, version }) => `${name}@${version}`);
    expect(await found('takeover')).toEqual(['report@2.0.0']);
    expect(await found('quarterly')).toEqual([]);
    expect(await found('quarterly', { where: ({ version }) => version !== '2.0.0' })).toEqual(['report@1.0.0']);
    expect((await search.refresh()).skills).toBe(3);
    using again = createSkillSearch(new SkillRegistry({ skills: versions }), { index: search.exportIndex() });
    expect((await again.search('takeover')).candidates).toMatchObject([{ name: 'report', version: '2.0.0' }]);
    expect(again.status()).toMatchObject({ skills: 3, due: 0, diagnostics: [] });
  });
});
