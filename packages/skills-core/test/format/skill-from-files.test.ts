import { describe, expect, it } from 'vitest';
import { SkillRegistry } from '@repertoire/skills-core';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';

const main = '---\nname: d\ndescription: Does things.\nversion: 1.10\n---\n\nBody.\n';

describe('skillFromFiles', () => {
  it('FMT-6: makes a skill of the files of its folder, whatever folders they lie in', async () => {
    const { definition, diagnostics } = skillFromFiles({
      'SKILL.md': new TextEncoder().encode(main),
      'references/a.md': '# A',
      'assets/logo.png': new Uint8Array([1, 2]),
      'NOTES.txt': 'n',
      'scripts/run.sh': 's',
      'examples/1.md': 'e',
    });
    expect(diagnostics).toEqual([]);
    expect(definition).toMatchObject({ name: 'd', description: 'Does things.', version: '1.10', body: 'Body.' });
    const provider = new SkillRegistry({ skills: definition === null ? [] : [definition] });
    const skill = await provider.getSkill('d');
    expect(skill?.body).toBe('Body.');
    expect(skill?.resources.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'other NOTES.txt',
      'asset assets/logo.png',
      'example examples/1.md',
      'reference references/a.md',
      'script scripts/run.sh',
    ]);
    expect(await provider.readResource('d', 'assets/logo.png')).toMatchObject({ bytes: new Uint8Array([1, 2]) });
  });

  it('FMT-3: leaves out files that cannot lie inside a skill, and says so', () => {
    const { definition, diagnostics } = skillFromFiles({
      'SKILL.md': main,
      '../evil': 'x',
      '/etc/passwd': 'x',
      'a\\b': 'x',
      'caf\u00E9.md': '1',
      'cafe\u0301.md': '2',
      ['__proto__']: 'x',
    });
    expect(Object.entries(definition?.resources ?? {}).sort()).toEqual([
      ['__proto__', 'x'],
      ['caf\u00E9.md', '1'],
    ]);
    expect(diagnostics.map(({ severity, code, skill }) => `${severity} ${code} ${skill}`)).toEqual(
      Array(4).fill('warning resource-path-invalid d'),
    );
  });

  it('FMT-3: finds the file under another case, with a warning; the exact name wins', () => {
    const { definition, diagnostics } = skillFromFiles({ 'Skill.md': main });
    expect(definition).toMatchObject({ name: 'd', resources: {} });
    expect(diagnostics).toMatchObject([{ code: 'skill-file-name', severity: 'warning' }]);
    expect(skillFromFiles({ 'skill.md': 'x', 'SKILL.md': main })).toMatchObject({
      definition: { name: 'd', resources: { 'skill.md': 'x' } },
      diagnostics: [],
    });
  });

  it('FMT-3: answers null with the reason', () => {
    expect(skillFromFiles({ 'README.md': 'x' }, { directoryName: 'd', path: 'p' })).toMatchObject({
      definition: null,
      diagnostics: [{ code: 'skill-file-missing', severity: 'error', skill: 'd', path: 'p' }],
    });
    expect(skillFromFiles({ 'SKILL.md': '# Title' })).toMatchObject({ definition: null, diagnostics: [{ code: 'frontmatter-missing' }] });
    expect(skillFromFiles({ 'SKILL.md': '---\ndescription: x\n---' }, { profile: 'strict', directoryName: 'd' }).definition).toBeNull();
  });
});
