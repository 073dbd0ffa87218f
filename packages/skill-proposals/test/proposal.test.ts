import { skillDigest } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { parseSkillProposal } from '../src/proposal/parse-skill-proposal.ts';
import { type SkillProposalInput, createSkillProposal } from '../src/proposal/create-skill-proposal.ts';
import { skillMd } from './support/library.ts';

const created = new Date('2026-01-09T12:00:00Z');
const encoder = new TextEncoder();
const files = {
  'SKILL.md': encoder.encode(skillMd('refunds', 'Ask first. Then pay.')),
  'references/a.md': encoder.encode('one two two\r\nthree\r\n'),
};

async function ofBase(change: Partial<SkillProposalInput>) {
  const base = { source: 'fs', place: 'skills/refunds', version: null, content: await skillDigest(files), files };
  return await createSkillProposal({ skill: 'refunds', base, reason: 'It was wrong.', created, ...change });
}
const fresh = (change: Partial<SkillProposalInput>) =>
  createSkillProposal({ skill: 'fresh', base: null, reason: 'It comes back.', created, ...change });

describe('a proposal', () => {
  it('PRP-1: is data with the identity and content that it was made for, and the same text has the same digest', async () => {
    const one = await ofBase({
      edits: [{ path: 'SKILL.md', old: 'Then pay.', new: 'Then pay slowly.' }],
      conversation: 'c1',
      model: 'm',
      author: 'acme',
    });
    const other = await ofBase({ edits: [{ path: 'SKILL.md', old: 'Then pay.', new: 'Then pay slowly.' }], reason: 'Again.' });
    expect(one).toMatchObject({ skill: 'refunds', conversation: 'c1', model: 'm', author: 'acme', created: '2026-01-09T12:00:00.000Z' });
    expect(one.base).toEqual({ source: 'fs', place: 'skills/refunds', version: null, content: await skillDigest(files) });
    expect(other.digest).toBe(one.digest);
    expect(one.id).toBe(`refunds-${one.digest.slice(0, 16)}`);
    expect(await parseSkillProposal(JSON.parse(JSON.stringify(one)), one.id)).toEqual(one);
  });

  it.each([
    ['an old text that occurs twice', { edits: [{ path: 'references/a.md', old: 'two', new: '2' }] }, /occurs more than once/],
    ['an old text that does not occur', { edits: [{ path: 'SKILL.md', old: 'Pay twice', new: '' }] }, /does not occur/],
    [
      'edits that overlap',
      {
        edits: [
          { path: 'SKILL.md', old: 'Ask first', new: 'A' },
          { path: 'SKILL.md', old: 'first. Then', new: 'B' },
        ],
      },
      /Two edits/,
    ],
    ['an empty old text', { edits: [{ path: 'SKILL.md', old: '', new: 'x' }] }, /no old text/],
    ['a file that is no file', { edits: [{ path: 'references/b.md', old: 'x', new: 'y' }] }, /no text file/],
    ['a path that climbs out', { files: [{ path: '../x.md', text: 'x' }] }, /no path inside/],
    ['a hidden file', { files: [{ path: '.env', text: 'x' }] }, /hidden/],
    ['a second SKILL.md', { files: [{ path: 'more/skill.md', text: 'x' }] }, /stands at the top/],
    ['a name that Windows reads as another', { files: [{ path: 'NUL.md', text: 'x' }] }, /another name/],
    ['paths that differ by case from those that are there', { files: [{ path: 'references/A.md', text: 'x' }] }, /by case only/],
    ['another name in SKILL.md', { files: [{ path: 'SKILL.md', text: skillMd('billing', 'x') }] }, /name/],
    ['10 MB', { files: [{ path: 'big.md', text: 'x'.repeat(10_000_000) }] }, /262144 bytes/],
    ['no change', {}, /nothing proposed/],
    ['no reason', { files: [{ path: 'a.md', text: 'x' }], reason: ' ' }, /no reason/],
  ] as const)('PRP-1: refuses %s', async (_, change, message) => {
    await expect(ofBase(change)).rejects.toThrow(message);
  });

  it('PRP-1: a new skill needs a SKILL.md that the standard allows', async () => {
    await expect(fresh({ files: [{ path: 'notes.md', text: 'x' }] })).rejects.toThrow('no SKILL.md');
    await expect(fresh({ files: [{ path: 'SKILL.md', text: 'No frontmatter.' }] })).rejects.toThrow('not as the standard wants it');
    await expect(fresh({ skill: '../up', files: [] })).rejects.toThrow(/name/);
    expect((await fresh({ files: [{ path: 'SKILL.md', text: skillMd('fresh', 'Do it.') }] })).base).toBeNull();
  });

  it.each([
    ['a file and a folder of one name', ['references/guide', 'references/guide/a.md'], /no folder has its name/],
    ['a name with a mark of direction', ['references/gnp.\u202Egpj.md'], /direction/],
    ['a name with a hidden character', ['references/a\u200B.md'], /nobody sees/],
    ['SKILL.md in Cyrillic letters', ['\u0405KILL.md'], /looks like SKILL\.md/],
    ['SKILL.md in wide letters', ['\uFF33KILL.md'], /looks like SKILL\.md/],
  ] as const)('AUT-10: refuses %s at once, with words', async (_, paths, message) => {
    await expect(ofBase({ files: paths.map((path) => ({ path, text: 'x' })) })).rejects.toThrow(message);
  });

  it.each([{ reason: 7 }, { reason: 'x'.repeat(10_000_000) }, { skill: null }, { model: ['m'] }, { files: 'x' }, { edits: [{ path: 1 }] }])(
    'PRP-1: refuses a stored proposal with other values: %o',
    async (change) => {
      const proposal = await ofBase({ edits: [{ path: 'SKILL.md', old: 'Then pay.', new: 'Then wait.' }] });
      const stored = { ...(JSON.parse(JSON.stringify(proposal)) as object), ...change };
      await expect(parseSkillProposal(stored, proposal.id)).rejects.toMatchObject({
        code: 'invalid-input',
        message: expect.stringContaining('is damaged'),
      });
    },
  );

  it('PRP-1: refuses a stored text that is not that of its digest', async () => {
    const proposal = await fresh({ files: [{ path: 'SKILL.md', text: skillMd('fresh', 'Do it.') }] });
    const changed = { ...proposal, files: [{ path: 'SKILL.md', text: skillMd('fresh', 'Do evil.'), replaces: null }] };
    await expect(parseSkillProposal(changed, proposal.id)).rejects.toMatchObject({ code: 'digest-mismatch' });
  });
});
