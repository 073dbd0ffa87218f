import { defineSkill } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { describe, expect, it } from 'vitest';
import { skillTree } from '../src/view/skill-tree.ts';
import { skillView } from '../src/view/skill-view.ts';

const refunds = defineSkill({
  name: 'refunds',
  description: 'Gives money back.',
  body: 'Ask first.',
  resources: { 'references/limits.md': 'Up to 50.', 'references/deep/more.md': 'More.', 'notes.txt': 'Note.' },
});
const tree = skillTree(skillView('test', 'a framework', fixedSkillProvider([refunds], { trusted: true }), {}));

const namesIn = async (path: string): Promise<readonly string[] | undefined> =>
  (await tree.list(path))?.map(({ name, isFolder }) => (isFolder ? `${name}/` : name)).toSorted();

describe('a view as a tree of files', () => {
  it('BRG-1: lists folders of skills, folders in them, and files', async () => {
    expect(await namesIn('/')).toEqual(['refunds/']);
    expect(await namesIn('/refunds')).toEqual(['SKILL.md', 'notes.txt', 'references/']);
    expect(await namesIn('refunds/./references/')).toEqual(['deep/', 'limits.md']);
    expect(await namesIn('refunds/references/deep')).toEqual(['more.md']);
    for (const path of ['/billing', '/refunds/notes.txt', '/refunds/reference', '/refunds/..', '..'])
      expect(await tree.list(path), path).toBeNull();
  });

  it('BRG-1: says what a path is, with the size of a file', async () => {
    expect(await tree.stat('/')).toEqual({ name: '/', isFolder: true });
    expect(await tree.stat('/refunds')).toEqual({ name: 'refunds', isFolder: true });
    expect(await tree.stat('/refunds/references')).toEqual({ name: 'references', isFolder: true });
    expect(await tree.stat('/refunds/notes.txt')).toEqual({ name: 'notes.txt', isFolder: false, size: 5, mediaType: 'text/plain' });
    for (const path of ['/billing', '/refunds/none.md', '/refunds/../refunds']) expect(await tree.stat(path), path).toBeNull();
  });

  it('BRG-1: reads files, and neither folders nor anything outside', async () => {
    const file = await tree.read('/refunds/references/limits.md');
    expect(new TextDecoder().decode(file?.bytes)).toBe('Up to 50.');
    for (const path of ['/', '/refunds', '/refunds/references', '/refunds/../refunds/notes.txt', '/billing/SKILL.md'])
      expect(await tree.read(path), path).toBeNull();
  });
});
