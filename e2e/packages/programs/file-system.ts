/** A skillset over a folder of skills: listed, loaded, a file read. */
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { createSkillset, emptySkillState } from '@repertoire/skills-core';

export async function answer(): Promise<unknown> {
  const root = await mkdtemp(join(tmpdir(), 'repertoire-program-'));
  try {
    await mkdir(join(root, 'greeting/references'), { recursive: true });
    await writeFile(join(root, 'greeting/SKILL.md'), '---\nname: greeting\ndescription: Greets. Use at the start.\n---\nSay hello.\n');
    await writeFile(join(root, 'greeting/references/words.txt'), 'Grüß Gott\n');
    const skillset = createSkillset({ provider: fileSystemSkillProvider({ roots: [root] }) });
    const session = await skillset.open();
    const { text } = await session.load({ name: 'greeting' }, { state: emptySkillState });
    const words = await skillset.provider.readResource('greeting', 'references/words.txt');
    return {
      listed: session.catalog.skills.map(({ name }) => name),
      loaded: text.includes('Say hello.'),
      words: new TextDecoder().decode(words?.bytes),
    };
  } finally {
    await rm(root, { recursive: true });
  }
}
