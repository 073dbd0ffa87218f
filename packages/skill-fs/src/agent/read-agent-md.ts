import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { isResourcePath } from '@repertoire/skills-core/provider';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';

/** What an AGENT.md says. */
export interface AgentMd {
  /** The ids of its skills, in its order, without doubles. */
  readonly skills: readonly string[];
  readonly description: string | undefined;
  readonly model: string | undefined;
  /** The Markdown below the frontmatter. */
  readonly body: string;
}

const maxBytes = 1024 * 1024;
const maxSkills = 500;

/**
 * @throws {SkillError} `resource-not-found`, `source-unavailable`, `limit-exceeded`,
 *   `invalid-skill`
 */
export async function readAgentMd(folder: string): Promise<AgentMd> {
  const file = path.join(folder, 'AGENT.md');
  const parsed = parseSkillMd(await readBounded(file), { directoryName: path.basename(folder), path: file });
  const { skills, description, model } = parsed.frontmatter;
  if (Object.keys(parsed.frontmatter).length === 0) {
    const found = parsed.diagnostics.map(({ message }) => message).join(' ');
    throw wrong(file, `It has no frontmatter that can be read. ${found} Begin it with "---", "skills:" and a list of skills.`);
  }
  if (!Array.isArray(skills) || skills.length === 0 || skills.length > maxSkills) {
    throw wrong(
      file,
      `Its skills are ${JSON.stringify(skills) ?? 'missing'}. Write "skills:" with a list of folders below skills/, up to ${maxSkills}.`,
    );
  }
  return {
    skills: [...new Set(skills.map((id) => skillId(file, id)))],
    description: textOf(description),
    model: textOf(model),
    body: parsed.body,
  };
}

/** A skill is named by its folder, and nothing else can be reached by that name. */
function skillId(file: string, id: unknown): string {
  if (typeof id === 'string' && !id.includes('/') && isResourcePath(id) && !id.startsWith('.')) return id;
  throw wrong(file, `It lists the skill ${JSON.stringify(id)}, which is no name of a folder below skills/.`);
}

async function readBounded(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > maxBytes)
      throw new SkillError('limit-exceeded', `${file} has ${size} bytes; at most ${maxBytes} are read. Shorten it.`, { path: file });
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (SkillError.isInstance(cause)) throw cause;
    const code = (cause as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      throw new SkillError('source-unavailable', `${file} cannot be read (${code ?? String(cause)}).`, { path: file, cause });
    }
    throw new SkillError(
      'resource-not-found',
      `There is no ${file}. Give loadAgent the folder of an agent, such as workspace/agents/planner.`,
      {
        path: file,
        cause,
      },
    );
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function wrong(file: string, message: string): SkillError {
  return new SkillError('invalid-skill', `${file} is no agent. ${message}`, { path: file });
}
