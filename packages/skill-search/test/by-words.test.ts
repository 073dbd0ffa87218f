import { describe, expect, it } from 'vitest';
import { createSkillSearch } from '../src/index.ts';
import { Library, type SkillPart } from './support/library.ts';
import { names } from './support/names.ts';

const shelf: readonly SkillPart[] = [
  { name: 'ad-creative', description: 'Writes ads for Google and Meta.', body: '# Ads\n\nA landing page is not written here.' },
  { name: 'landing-pages', description: 'Builds landing pages that convert.', body: '## Structure\n\nHero, proof, call to action.' },
  {
    name: 'pricing',
    description: 'Decides prices and plans. For paid ads, see ad-creative. Do not use for invoices.',
    body: '# Tiers\n\nThree plans. See the `getUserPlan` function.',
  },
  {
    name: 'invoices',
    description: 'Drafts and checks invoices.',
    version: '2',
    body: 'Ask for the VAT number first.\n\n```sh\nsendgrid deliver\n```\n\nThen numbering.',
  },
  { name: 'recover', description: '恢复被删除的文件。当用户说“找回历史”时使用。' },
  { name: 'kaiyaku', description: '解約の手続きを案内する' },
  { name: 'hwanbul', description: '환불을 처리합니다' },
  { name: 'kuenden', description: 'Kündigung von Verträgen prüfen' },
];
const open = () => createSkillSearch(new Library(...shelf).provider());

describe('DIS-14: what the host knows besides the request', () => {
  const library = () =>
    new Library(
      { name: 'deploy-api', description: 'Deploys a service.', body: 'For the billing repository, with Terraform.' },
      { name: 'deploy-web', description: 'Deploys a service.', body: 'For the storefront repository, with Vercel.' },
      { name: 'storefront', description: 'Explains the storefront.', body: 'Pages and carts.' },
    );

  it('orders what a request finds, and finds nothing by itself', async () => {
    const search = createSkillSearch(library().provider());
    const request = 'deploy the service';
    expect(await names(search, request, { context: 'repository storefront, plugin vercel' })).toEqual(['deploy-web', 'deploy-api']);
    expect(await names(search, request, { context: 'acme/billing terraform' })).toEqual(['deploy-api', 'deploy-web']);
    expect(await names(search, request)).toEqual(['deploy-api', 'deploy-web']);
    expect(await names(search, 'volcano', { context: 'storefront' })).toEqual([]);
    expect(await names(search, '', { context: 'storefront' })).toEqual([]);
  });

  it('does not outweigh the request', async () => {
    const search = createSkillSearch(library().provider());
    expect((await names(search, 'explain the storefront', { context: 'deploy service billing terraform api' }))[0]).toBe('storefront');
  });
});

describe('DIS-14: search by words', () => {
  it('counts a word for more in a short text than in one of usual length, as BM25 does', async () => {
    const others = Array.from({ length: 599 }, (_, index) => `word${index}`).join(' ');
    const library = new Library({ name: 'short', body: 'volcano' }, { name: 'long', body: `volcano ${others}` });
    const { candidates } = await createSkillSearch(library.provider()).search('volcano');
    expect(candidates.map(({ name }) => name)).toEqual(['short', 'long']);
    expect(candidates[0]!.score / candidates[1]!.score).toBeCloseTo(1.69, 1);
  });

  it('finds skills by name, description, headings and instructions, in any form of the words', async () => {
    const search = open();
    expect((await names(search, 'how should we price our plans?'))[0]).toBe('pricing');
    expect((await names(search, 'build me a landing page'))[0]).toBe('landing-pages');
    expect(await names(search, 'hero')).toEqual(['landing-pages']);
    expect(await names(search, 'structures')).toEqual(['landing-pages']);
    expect(await names(search, 'vat number')).toEqual(['invoices']);
  });

  it('says which words found a skill, and where; and loads nothing', async () => {
    const { candidates, mode, diagnostics } = await open().search('Tiers of Pricing for landing pages');
    expect(mode).toBe('words');
    expect(diagnostics).toEqual([]);
    const pricing = candidates.find(({ name }) => name === 'pricing');
    expect(pricing).toMatchObject({ version: null, by: 'words', description: shelf[2]?.description, origin: undefined });
    expect(pricing?.matches).toEqual([
      { text: 'pricing', fields: ['description', 'name'] },
      { text: 'tiers', fields: ['body', 'headings'] },
    ]);
    const pages = candidates.find(({ name }) => name === 'landing-pages');
    expect(pages?.matches.map(({ text }) => text)).toEqual(['landing', 'pages', 'landing pages']);
    expect(candidates.map(({ score }) => score)).toEqual(candidates.map(({ score }) => score).sort((a, b) => b - a));
    expect((await open().search('vat')).candidates[0]).toMatchObject({ name: 'invoices', version: '2' });
  });

  it('does not find a skill by what its description sends elsewhere', async () => {
    const search = open();
    expect(await names(search, 'ads')).toEqual(['ad-creative']);
    expect(await names(search, 'invoice')).toEqual(['invoices']);
  });

  it('finds a skill by a description that is nothing but a referral', async () => {
    const search = createSkillSearch(new Library({ name: 'a', description: 'Do not use for weddings.' }).provider());
    expect(await names(search, 'wedding')).toEqual(['a']);
  });

  it('splits identifiers, and does not read blocks of code', async () => {
    const search = open();
    expect(await names(search, 'user plan function')).toContain('pricing');
    expect(await names(search, 'getUserPlan')).toEqual(['pricing']);
    expect(await names(search, 'sendgrid')).toEqual([]);
    expect(await names(search, 'numbering')).toEqual(['invoices']);
  });

  it('reads what comes after a block of code that is never closed', async () => {
    const search = createSkillSearch(new Library({ name: 'a', body: 'Text.\n\n```\ncode\n\nzebra' }).provider());
    expect(await names(search, 'zebra')).toEqual(['a']);
  });

  it('finds Chinese, Japanese, Korean and accented words', async () => {
    const search = open();
    expect(await names(search, '帮我恢复昨天删除的文件')).toEqual(['recover']);
    // Pairs with characters such as 的 and 我 say nothing, unless there is nothing else.
    expect((await search.search('我的文件')).candidates.map(({ matches }) => matches.map(({ text }) => text))).toEqual([['文件']]);
    expect(await names(search, '被删')).toEqual(['recover']);
    expect(await names(search, '解約したい')).toEqual(['kaiyaku']);
    expect(await names(search, '환불해 주세요')).toEqual(['hwanbul']);
    expect(await names(search, '환')).toEqual(['hwanbul']);
    expect(await names(search, 'kundigung')).toEqual(['kuenden']);
    expect(await names(search, 'Ku\u0308ndigung')).toEqual(['kuenden']);
    expect(await names(search, 'ＫÜＮＤＩＧＵＮＧ')).toEqual(['kuenden']);
  });

  it('finds a skill by its tags and by when to use it', async () => {
    const search = createSkillSearch(
      new Library(
        { name: 'a', metadata: { tags: 'billing, dunning' } },
        { name: 'b', fields: { keywords: ['churn'] } },
        { name: 'c', whenToUse: 'When a customer leaves.' },
      ).provider(),
    );
    expect(await names(search, 'dunning')).toEqual(['a']);
    expect(await names(search, 'churn')).toEqual(['b']);
    expect(await names(search, 'customer')).toEqual(['c']);
  });

  it('finds the newest version of a name, once', async () => {
    const search = createSkillSearch(
      new Library(
        { name: 'a', version: '1', body: 'apple' },
        { name: 'a', version: '2', body: 'banana' },
        { name: 'a', body: 'cherry' },
      ).provider(),
    );
    expect((await search.search('banana')).candidates).toMatchObject([{ name: 'a', version: '2' }]);
    expect(await names(search, 'apple cherry')).toEqual([]);
  });

  it('gives as many as are asked for, equal ones by name, and none for nothing', async () => {
    const search = createSkillSearch(
      new Library(...Array.from({ length: 40 }, (_, index) => ({ name: `s${index + 10}`, body: 'tea' }))).provider(),
    );
    expect(await names(search, 'tea')).toEqual(['s10', 's11', 's12', 's13', 's14']);
    expect(await names(search, 'tea', { limit: 40 })).toHaveLength(40);
    expect(await names(search, 'tea', { limit: 2 })).toEqual(['s10', 's11']);
    expect(await names(search, '')).toEqual([]);
    const library = new Library(...Array.from({ length: 40 }, (_, index) => ({ name: `s${index + 10}`, body: 'tea' })));
    const growing = createSkillSearch(library.provider());
    await growing.refresh();
    // What comes later is indexed apart, and is still ranked by its name.
    library.put({ name: 's00', body: 'tea' });
    await growing.refresh();
    expect(await names(growing, 'tea', { limit: 2 })).toEqual(['s00', 's10']);
    expect(await names(search, 'the of and 🙂 ---')).toEqual([]);
    expect(await names(createSkillSearch(new Library().provider()), 'tea')).toEqual([]);
  });

  it('ranks 3,000 skills in one index as in a small one: the words of a few stay rare', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => ({
      name: `filler-${index}`,
      description: 'Handles tea and coffee.',
      body: `Number ${index}.`,
    }));
    const search = createSkillSearch(new Library(...shelf, ...many).provider());
    expect((await names(search, 'a landing page for tea and coffee'))[0]).toBe('landing-pages');
    expect(await names(search, '2345')).toEqual(['filler-2345']);
  });
});
