import { expect, it } from 'vitest';
import { brokenTable, refusedWith } from '../../../test/support/one-field-broken.ts';
import { createSkillProposal } from '../src/proposal/create-skill-proposal.ts';
import { parseSkillProposal } from '../src/proposal/parse-skill-proposal.ts';
import { parseDecision } from '../src/store/parse-decision.ts';

const digest = 'a'.repeat(64);
const made = await createSkillProposal({
  skill: 'tides',
  base: {
    source: 'own',
    place: 'tides',
    version: '1.0.0',
    content: digest,
    files: { 'SKILL.md': new TextEncoder().encode('---\nname: tides\ndescription: Tells tides.\n---\nOne two.\n') },
  },
  files: [{ path: 'references/a.md', text: 'A.' }],
  edits: [{ path: 'SKILL.md', old: 'One', new: 'Two' }],
  reason: 'Asked for.',
  conversation: 'c',
  model: 'm',
  author: 'a',
  created: new Date(0),
});

it('PRP-1: a stored proposal is read back as it was, and refused where one field is wrong', async () => {
  const stored: unknown = JSON.parse(JSON.stringify(made));
  expect(await parseSkillProposal(stored, made.id)).toEqual(made);
  await expect(await brokenTable(stored as object, (value) => refusedWith(() => parseSkillProposal(value, made.id)))).toMatchFileSnapshot(
    'broken/proposal.txt',
  );
});

it('PRP-2: and so is each kind of decision', async () => {
  const said = { by: 'Ada', at: '2026-01-01T00:00:00.000Z' };
  const before = {
    content: digest,
    files: [
      { path: 'SKILL.md', text: 'One' },
      { path: 'a.png', base64: 'AA==' },
    ],
  };
  const decisions = [
    { type: 'rejected', ...said, reason: 'No.' },
    { type: 'accepting', ...said, shown: digest, content: digest, before, wholeRead: true },
    { type: 'accepted', ...said, content: digest },
    { type: 'undone', ...said, content: null },
  ] as const;
  const tables: string[] = [];
  for (const decision of decisions) {
    expect(parseDecision(decision, 'x')).toEqual(decision);
    tables.push(`${decision.type}\n${await brokenTable(decision, (value) => refusedWith(() => parseDecision(value, 'x')))}`);
  }
  await expect(tables.join('\n')).toMatchFileSnapshot('broken/decision.txt');
});
