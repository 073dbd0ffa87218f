import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SkillMetadata, SkillProvider } from '@repertoire/skills-core';
import type { SkillFieldValue } from '@repertoire/skills-core/internal';
import { bundleProgram } from '../../../test/support/bundle-program.ts';

/** A skill that brings tools, as a card or a frontmatter says it. */
export interface CardSkill {
  readonly name: string;
  readonly fields: Record<string, SkillFieldValue>;
  readonly trusted?: boolean;
  readonly uri?: string;
}

/** Skills as a provider that reads cards gives them. */
export function cardProvider(skills: readonly CardSkill[]): SkillProvider {
  const listed = skills.map(({ name, fields, trusted = true, uri }): SkillMetadata => ({
    name,
    version: null,
    description: `About ${name}.`,
    fields,
    origin: { kind: 'fs', label: 'cards', trusted, uri },
  }));
  return {
    label: 'cards',
    listSkills: async () => ({ skills: listed, diagnostics: [], complete: true }),
    getSkill: async (name) => {
      const skill = listed.find((candidate) => candidate.name === name);
      return skill === undefined ? null : { ...skill, body: `Instructions of ${name}.`, resources: [], diagnostics: [] };
    },
    readResource: async () => null,
  };
}

/** Makes `mcps` of a skill whose server is a process that writes its id to a file. For the tests of the file that calls this. */
export async function stdioServers(): Promise<(pidFile: string) => Record<string, SkillFieldValue>> {
  const program = await bundleProgram(join(import.meta.dirname, 'mcp-server.ts'));
  return (pidFile) => ({ weather: { transport: 'stdio', command: process.execPath, args: [program, 'stdio', pidFile] } });
}

export function isRunning(pidFile: string): boolean {
  if (!existsSync(pidFile)) return false;
  try {
    return process.kill(Number(readFileSync(pidFile, 'utf8')), 0);
  } catch {
    return false;
  }
}
