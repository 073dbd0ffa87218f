import { simpleSkillProvider, type SimpleSkillSource } from '@repertoire/skills-core/provider';
import { expect, it } from 'vitest';
import { converse } from './converse.ts';

it('S3-61 CON-1: a provider of the seed’s interface is carried over by simpleSkillProvider', async () => {
  const theirs: SimpleSkillSource = {
    listSkills: async () => [{ name: 'pdf', description: 'Does PDFs. Use when PDFs.' }],
    getSkill: async (name) =>
      name === 'pdf'
        ? {
            name,
            description: 'Does PDFs. Use when PDFs.',
            body: 'Body',
            resources: [{ path: 'references/forms.md', description: 'Forms' }],
          }
        : null,
    readResource: async (name, path) => (name === 'pdf' && path === 'references/forms.md' ? 'one\ntwo\nthree' : null),
  };
  const { call, session } = await converse({ provider: simpleSkillProvider(theirs, { label: 'theirs', trusted: true }) });
  expect(session.catalog.text, 'S3-61').toContain('Does PDFs.');
  const { text } = await call('load_skill', { name: 'pdf' });
  expect(text, 'S3-61').toContain('Body');
  expect(text, 'S3-61').toContain('references/forms.md: Forms');
  expect((await call('read_skill_file', { skill: 'pdf', path: 'references/forms.md', startLine: 2, endLine: 2 })).text, 'S3-61').toContain(
    '\ntwo\n',
  );
});
