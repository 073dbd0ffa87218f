import { SkillRegistry } from '@repertoire/skills-core';
import { routedLibrary, routingMatchers } from '@repertoire/skills-testkit/routing';
import { describe, expect, it } from 'vitest';

expect.extend(routingMatchers);

const provider = new SkillRegistry({
  skills: [
    { name: 'sql-tuning', description: 'Makes slow database queries fast. Use when a query is slow.', body: 'Look at the volcano plan.' },
    { name: 'refunds', description: 'Gives money back. Use when a customer wants a refund.', body: '' },
    { name: 'refunds', version: '2.0.0', description: 'Gives money back. Use when somebody asks for a repayment.', body: '' },
    { name: 'invoices', description: 'Drafts invoices for a customer.', body: '' },
  ],
});

describe('AUT-4: routing in a test suite', () => {
  it('AUT-4: a request finds its skill, and no other', async () => {
    const library = await routedLibrary(provider);
    expect(library.skills).toEqual(['invoices', 'refunds', 'sql-tuning']);
    expect(library).toRoute('Why is this query slow?', 'sql-tuning');
    expect(library).not.toRoute('Why is this query slow?', 'refunds');
    // The newest version counts.
    expect(library).toRoute('a repayment', 'refunds');
    expect(library).not.toRoute('a refund wanted', 'invoices');
    expect(library).toRoute('draft an invoice or a repayment', 'refunds', { among: 2 });
  });

  it('AUT-4: instructions count only where they are asked for', async () => {
    expect(await routedLibrary(provider)).not.toRoute('volcano', 'sql-tuning');
    expect(await routedLibrary(provider, { bodies: true })).toRoute('volcano', 'sql-tuning');
  });

  it('AUT-4: a failure says what was found instead, and by which words', async () => {
    const library = await routedLibrary(provider);
    expect(() => expect(library).toRoute('slow repayment query', 'refunds')).toThrow(
      /expected "slow repayment query" to find refunds first\. It found, by these words:\n {2}1\. sql-tuning {2}.*slow.*\n {2}2\. refunds {2}repayment/,
    );
    expect(() => expect(library).toRoute('volcano', 'refunds')).toThrow(/nothing: no word of it is in the library\nrefunds was not found/);
    expect(() => expect(library).not.toRoute('slow query', 'sql-tuning')).toThrow(/not to find sql-tuning first/);
    const many = ['alder', 'beech', 'cedar', 'elm', 'fir', 'oak', 'yew'].map((name) => ({ name, description: 'Plants a tree.', body: '' }));
    const trees = await routedLibrary(new SkillRegistry({ skills: many }));
    const found = trees.route('plant a tree').map(({ name }) => name);
    expect(found).toHaveLength(7);
    // Five are shown, so the place of any later one is said.
    const said = (index: number) => routingMatchers.toRoute(trees, 'plant a tree', found[index] as string).message();
    expect([4, 5, 6].map((index) => / is number \d/.exec(said(index))?.[0])).toEqual([undefined, ' is number 6', ' is number 7']);
    // A misspelt name must not pass as "not routed".
    expect(() => expect(library).not.toRoute('slow query', 'sql-tunning')).toThrow(/No skill of the library is named "sql-tunning"/);
    expect(() => expect({}).toRoute('slow query', 'sql-tuning')).toThrow(/toRoute needs a library/);
  });
});
