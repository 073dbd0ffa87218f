import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import { emptySkillState } from '@repertoire/skills-core';
import type { SkillTool, SkillToolResult } from '@repertoire/skills-core/adapter';
import type { ExposedSkills } from './exposed-skills.ts';

/** Each answer is complete: the server does not store what was loaded. */
const descriptions = {
  list: 'Lists the skills that this server has: instructions for particular kinds of tasks, each with its name and when to use it. Call it once before a task that a skill may cover.',
  load: 'Loads the instructions of a skill by its name from list_skills. Load it before you work on what it covers, and follow it.',
  readFile: 'Reads a file that a loaded skill lists: a reference, a script, a template.',
} as const;

type Role = keyof typeof descriptions;

/** Registers `list_skills`, `load_skill` and `read_skill_file`, which any MCP client can call. */
export function exposeTools(server: McpServer, skills: ExposedSkills): void {
  for (const { role, name, inputSchema } of definitions) {
    server.registerTool(
      name,
      {
        title: titles[role],
        description: descriptions[role],
        inputSchema: fromJsonSchema<Record<string, unknown>>(inputSchema as never),
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      async (input, context) => answerOf(await execute(skills, role, input, context.mcpReq.signal)),
    );
  }
}

const titles: Readonly<Record<Role, string>> = { list: 'List skills', load: 'Load a skill', readFile: 'Read a file of a skill' };

/** Names and schemas, which do not depend on the skills. */
const definitions: readonly { readonly role: Role; readonly name: string; readonly inputSchema: SkillTool['inputSchema'] }[] = [
  { role: 'list', name: 'list_skills', inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false } },
  {
    role: 'load',
    name: 'load_skill',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Name of the skill, as list_skills has it.' },
        arguments: { type: 'string', description: 'What to give the skill to work on, where it takes arguments.' },
        version: { type: 'string', description: 'An exact version; the newest where it is left out.' },
      },
      required: ['name'],
      additionalProperties: false,
    },
  },
  {
    role: 'readFile',
    name: 'read_skill_file',
    inputSchema: {
      type: 'object',
      properties: {
        skill: { type: 'string', description: 'Name of the skill.' },
        path: { type: 'string', description: 'Path of the file, as the loaded skill lists it.' },
        startLine: { type: 'integer', minimum: 1, description: 'First line to read, from 1.' },
        endLine: { type: 'integer', minimum: 1, description: 'Last line to read.' },
      },
      required: ['skill', 'path'],
      additionalProperties: false,
    },
  },
];

async function execute(skills: ExposedSkills, role: Role, input: unknown, signal: AbortSignal): Promise<SkillToolResult> {
  const skillset = role === 'list' ? skills.full : skills.progressive;
  const tool = (await skills.session(skillset, signal)).tools.find((candidate) => candidate.role === role);
  if (tool === undefined) return { text: 'There are no skills.', events: [] };
  return await tool.execute(input, { state: emptySkillState, signal });
}

function answerOf({ text, error }: SkillToolResult): { content: { type: 'text'; text: string }[]; isError?: boolean } {
  return { content: [{ type: 'text', text }], ...(error !== undefined && { isError: true }) };
}
