import { describe, expect, it } from 'vitest';
import { alikeSkills, rankSkills } from '../src/analysis.ts';
import { refersTo } from '../src/analysis/refers-to.ts';
import { createSkillSearch } from '../src/index.ts';
import { Library } from './support/library.ts';

const shelf = [
  { name: 'refunds', description: 'Gives money back. Use when a customer wants a refund.', body: 'Check the order.' },
  { name: 'invoices', description: 'Drafts and checks invoices for customers.', body: '# Numbering\n\nAsk for the order number.' },
  { name: 'returns', description: 'Gives money back. Use when a customer returns an order.', body: 'Check the order.' },
];

describe('DIS-14: analysis of a library', () => {
  it('explains a score by terms and fields, as search gives it', async () => {
    const ranking = await rankSkills(shelf);
    const query = 'please refund the order, zebra';
    const explained = ranking.explain(query, 'refunds');
    const { candidates } = await createSkillSearch(new Library(...shelf).provider()).search(query);
    const candidate = candidates.find(({ name }) => name === 'refunds');
    expect(explained).toMatchObject({ rank: 1, score: candidate?.score });
    expect(explained?.terms.map(({ text, isPhrase }) => [text, isPhrase])).toEqual([
      ['refund', false],
      ['order', false],
    ]);
    const [refund] = explained?.terms ?? [];
    expect(Object.keys(refund?.fields ?? {})).toEqual(['name', 'description']);
    const sum = explained?.terms.reduce((total, { score }) => total + score, 0) ?? 0;
    expect(sum * (explained?.coverage ?? 0)).toBeCloseTo(candidate?.score ?? 0, 3);
    expect(explained?.coverage).toBeCloseTo(1);
    expect(ranking.explain('order numbering', 'refunds')?.coverage).toBeCloseTo(0.5 ** 0.25);
    expect(ranking.explain('numbering', 'refunds')).toBeNull();
    expect(() => ranking.explain('order', 'nobody')).toThrow('No skill to rank is named "nobody"');
  });

  it('tells which skills take the prompts of which', async () => {
    const ranking = await rankSkills(shelf);
    const routing = await ranking.route(
      [
        { prompt: 'a refund for this customer', skill: 'refunds' },
        { prompt: 'the customer returns it and wants a refund', skill: 'refunds' },
        { prompt: 'draft an invoice', skill: 'invoices' },
        { prompt: 'a refund', skill: 'invoices' },
        { prompt: 'zebra', skill: 'returns' },
      ],
      { among: 2 },
    );
    expect(routing.prompts.map(({ rank, first }) => [rank, first])).toEqual([
      [1, 'refunds'],
      [expect.any(Number), expect.any(String)],
      [1, 'invoices'],
      [null, 'refunds'],
      [null, null],
    ]);
    expect(routing.confusion['invoices']).toEqual({ invoices: 1, refunds: 1 });
    expect(routing.confusion['returns']).toBeUndefined();
    expect(Object.values(routing.confusion['refunds'] ?? {}).reduce((sum, count) => sum + count, 0)).toBe(2);
    const share = routing.prompts.filter(({ rank }) => rank === 1).length / 5;
    expect(routing.firstShare).toBe(share);
    expect(routing.amongShare).toBe(routing.prompts.filter(({ rank }) => rank !== null && rank <= 2).length / 5);
    await expect(ranking.route([{ prompt: 'x', skill: 'nobody' }])).rejects.toMatchObject({ code: 'skill-not-found' });
    expect(await ranking.route([])).toMatchObject({ prompts: [], firstShare: 0, amongShare: 0 });
  });

  it('refuses two skills of one name', async () => {
    await expect(rankSkills([...shelf, { name: 'refunds', description: '' }])).rejects.toMatchObject({
      code: 'duplicate-skill',
      skill: 'refunds',
    });
  });

  it('finds near duplicates and the words that they share', async () => {
    const alike = await alikeSkills(shelf, { least: 0.3 });
    expect(alike.map(({ skills }) => skills)).toEqual([['refunds', 'returns']]);
    expect(alike[0]?.shared.map(({ word }) => word)).toEqual(expect.arrayContaining(['money', 'back', 'gives']));
    expect(alike[0]?.shared.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(alike[0]?.likeness ?? 0);
    const [same] = await alikeSkills(shelf, { of: 'body' });
    expect(same).toMatchObject({ skills: ['refunds', 'returns'] });
    expect(same?.likeness).toBeCloseTo(1);
    expect(await alikeSkills(shelf, { least: 1 })).toEqual([]);
    await expect(alikeSkills(shelf, { least: 0 })).rejects.toMatchObject({ code: 'invalid-options' });
    await expect(alikeSkills(shelf, { lest: 0.3 } as never)).rejects.toThrow('alikeSkills has no option "lest". Did you mean "least"?');
  });

  it('looks for names at the beginning of a description only', () => {
    const ads = { name: 'paid-ads', description: 'For paid ads, use ad-creative.' };
    const creative = (words: number) => ({ name: 'ad-creative', description: `${'ads '.repeat(words)}ad-creative` });
    expect([refersTo(ads, creative(10)), refersTo(ads, creative(3_000))]).toEqual([false, true]);
  });

  it('tells the most alike pairs where there are too many', async () => {
    const copies = Array.from({ length: 200 }, (_, index) => ({ name: `copy-${index}`, description: 'The same words as all others.' }));
    const alike = await alikeSkills(copies, { limit: 3, least: 0.1 });
    // Equally alike pairs come in the order of the skills.
    expect(alike.map(({ skills: [one, other] }) => `${one} ${other}`)).toEqual(['copy-0 copy-1', 'copy-0 copy-2', 'copy-0 copy-3']);
    expect(await alikeSkills([])).toEqual([]);
  });
});
