import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { messageOf } from '../provider/mcp-call.ts';
import type { ExposedSkills } from './exposed-skills.ts';
import { promptArguments, promptSkills, renderPrompt } from './skill-prompt.ts';

/** Prompts of one server that can be replaced. */
export interface ExposedPrompts {
  /** Brings them in line with the skills that there are now; clients are told where that changes the list. */
  refresh(): Promise<void>;
  /** Skills that could not be made prompts. */
  diagnostics(): readonly SkillDiagnostic[];
}

/** Registers every skill that a person may start as a prompt, beside those that the host has: hosts of people show prompts as commands. */
export function exposePrompts(server: McpServer, skills: ExposedSkills): ExposedPrompts {
  // The server has to offer prompts before it connects, also where there is none yet.
  server.registerPrompt('none', {}, () => ({ messages: [] })).remove();
  const registered = new Map<string, { readonly key: string; readonly remove: () => void }>();
  const refused = new Map<string, SkillDiagnostic>();
  return {
    diagnostics: () => [...refused.values()],
    async refresh() {
      const wanted = new Map((await promptSkills(skills)).map((skill) => [skill.name, skill]));
      for (const [name, { key, remove }] of registered) {
        const skill = wanted.get(name);
        if (skill !== undefined && keyOf(skill) === key) continue;
        remove();
        registered.delete(name);
      }
      refused.clear();
      for (const skill of wanted.values()) {
        if (registered.has(skill.name)) continue;
        try {
          const prompt = register(server, skills, skill);
          registered.set(skill.name, { key: keyOf(skill), remove: () => prompt.remove() });
        } catch (error) {
          // The name may be that of a prompt of the host, or one that the SDK cannot take, such as `constructor`.
          refused.set(skill.name, notOffered(skill, error));
        }
      }
    },
  };
}

function register(server: McpServer, skills: ExposedSkills, skill: SkillMetadata): { remove(): void } {
  const properties = Object.fromEntries(promptArguments(skill).map(({ name, description }) => [name, { type: 'string', description }]));
  const argsSchema = fromJsonSchema<Record<string, unknown>>({ type: 'object', properties });
  return server.registerPrompt(skill.name, { title: skill.name, description: skill.description, argsSchema }, async (given, context) =>
    renderPrompt(skills, skill, given, context.mcpReq.signal),
  );
}

function notOffered({ name }: SkillMetadata, error: unknown): SkillDiagnostic {
  return {
    code: 'prompt-not-offered',
    severity: 'warning',
    message: `Skill ${JSON.stringify(name)} is not offered as a prompt: ${messageOf(error)}.`,
    skill: name,
    fix: 'Rename the skill, or the prompt of the server that has its name.',
  };
}

function keyOf({ description, version, argumentHint, arguments: names }: SkillMetadata): string {
  return JSON.stringify([description, version, argumentHint, names]);
}
