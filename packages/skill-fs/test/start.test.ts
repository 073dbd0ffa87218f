import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

it('SRC-1: what a first listing loads does without node:crypto, which takes as long as a hundred skills', async () => {
  const folder = await temporaryFolder();
  await folder.write({ 'skills/refunds/SKILL.md': '---\nname: refunds\ndescription: Pays money back. Use when asked.\n---\nDo it.\n' });
  const program = `
    import { fileSystemSkillProvider } from '@repertoire/skill-fs';
    const { skills } = await fileSystemSkillProvider({ roots: [process.argv[1]] }).listSkills();
    const loaded = process.moduleLoadList.filter((name) => name === 'NativeModule crypto');
    console.log(JSON.stringify({ skills: skills.length, loaded }));`;
  const given = ['--conditions=@repertoire/source', '--input-type=module', '--eval', program, '--', `${folder.path}/skills`];
  const { stdout } = await promisify(execFile)(process.execPath, given, { cwd: import.meta.dirname });
  expect(JSON.parse(stdout)).toEqual({ skills: 1, loaded: [] });
});
