import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { startOfMessage } from '../provider/mcp-call.ts';
import type { ExposedSkills } from './exposed-skills.ts';
import { promptArguments, promptSkills, renderPrompt } from './skill-prompt.ts';

/** The prompts of one server, which can be replaced. */
export interface ExposedPrompts {
  /** Updates the prompts to the current skills. Clients are notified if the list changes. */
  refresh(): Promise<void>;
  /** Diagnostics for skills that cannot be prompts. */
  diagnostics(): readonly SkillDiagnostic[];
}

/** Registers skills that people may start as prompts, which applications show as commands. */
export function exposePrompts(server: McpServer, skills: ExposedSkills): ExposedPrompts {
  // The server must offer prompts before it connects, even if there are none yet.
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
          // The host may have that prompt, or the SDK not support the name, such as `constructor`.
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
    message: `Skill ${JSON.stringify(name)} is not offered as a prompt: ${startOfMessage(error)}.`,
    skill: name,
    fix: 'Rename the skill, or the prompt of the server that has its name.',
  };
}

function keyOf({ description, version, argumentHint, arguments: names }: SkillMetadata): string {
  return JSON.stringify([description, version, argumentHint, names]);
}
