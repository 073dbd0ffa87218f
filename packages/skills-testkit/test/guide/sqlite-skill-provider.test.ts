import { DatabaseSync } from 'node:sqlite';
import type { SkillDefinition } from '@repertoire/skills-core';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import { groupBySkillDirectory, type SkillLibraryFiles } from '@repertoire/skills-testkit';
import { testSkillProvider } from '@repertoire/skills-testkit/vitest';
import { schema, sqliteSkillProvider } from './sqlite-skill-provider.ts';

testSkillProvider({ name: 'sqlite', create: async (files) => ({ provider: sqliteSkillProvider(seed(files)) }), abilities: ['versions'] });

function seed(files: SkillLibraryFiles): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec(schema);
  for (const [directoryName, group] of groupBySkillDirectory(files)) {
    const { definition } = skillFromFiles(group, { directoryName });
    // A bad skill gets in without a description, and the provider reports it.
    const { body = '', resources, ...metadata }: Partial<SkillDefinition> = definition ?? { name: directoryName, version: null };
    const { lastInsertRowid } = database
      .prepare('INSERT INTO skill (metadata, body) VALUES (?, ?)')
      .run(JSON.stringify(metadata), String(body));
    for (const [path, content] of Object.entries(resources ?? {})) {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : (content as Uint8Array);
      database.prepare('INSERT INTO skill_file VALUES (?, ?, ?)').run(lastInsertRowid, path, bytes);
    }
  }
  return database;
}
