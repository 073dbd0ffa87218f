import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { serializeSkillMd } from '@repertoire/skills-core/skill-md';
import { newDescription, newInstruction } from '../lint/rules/template-rules.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

const schema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json';

/** Writes a plugin with one skill. @throws {SkillError} `duplicate-skill`, `invalid-options` */
export async function newPlugin(folder: string, shown: string): Promise<string> {
  const name = path.basename(folder);
  if (!/^[a-z\d](?:[a-z\d.-]{0,62}[a-z\d])?$/.test(name) || /--|\.\./.test(name))
    throw wrongUsage(
      `${JSON.stringify(name)} cannot be the name of a plugin. Take 1 to 64 of a-z, 0-9, single hyphens and single periods.`,
    );
  if ((await stat(folder).catch(() => null)) !== null)
    throw new SkillError('duplicate-skill', `${shown} is there already. Choose another name; nothing was changed.`, { path: shown });
  const skill = name.replaceAll('.', '-');
  await mkdir(path.join(folder, 'skills', skill), { recursive: true });
  const manifest = { $schema: schema, name, version: '0.1.0', description: 'Say in a sentence what this plugin is for.' };
  await writeFile(path.join(folder, 'plugin.json'), `${JSON.stringify(manifest, null, 2)}\n`, { flag: 'wx' });
  const text = serializeSkillMd({ name: skill, description: newDescription, version: null, body: `# ${skill}\n\n${newInstruction}\n` });
  await writeFile(path.join(folder, 'skills', skill, 'SKILL.md'), text, { flag: 'wx' });
  return name;
}
