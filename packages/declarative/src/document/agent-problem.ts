import type { SkillDiagnostic } from '@repertoire/skills-core';

/** Every code of an {@link AgentProblem}, with what it means. */
export const agentProblemCodes = {
  'agent-yaml': 'The text is not YAML that can be read, or uses a part of YAML that is not allowed here.',
  'agent-limit': 'The text is too long, too deeply nested, or holds too much.',
  'agent-shape': 'A key is unknown or missing, or a value has another type than the file needs.',
  'agent-duplicate': 'Two entries have one name.',
  'agent-reference': 'Something is named that the file does not declare.',
  'agent-expression': 'A CEL expression does not parse, does not type-check, or names what does not exist.',
  'agent-graph': 'The nodes and edges do not make a graph that can run.',
  'agent-host': 'The file asks for a model, a tool, a source or a folder that the host does not give.',
  'agent-skill': 'A skill or a version of it is not where the file says.',
} as const;

/** One of the documented codes; see {@link agentProblemCodes}. */
export type AgentProblemCode = keyof typeof agentProblemCodes;

/** A problem in an agent's file, with its position and what to change. */
export interface AgentProblem extends SkillDiagnostic {
  readonly code: AgentProblemCode;
  readonly line: number;
  readonly column: number;
}

/** A problem as a line of text: `agent.yaml:3:5 …`. */
export function problemText({ path, line, column, message, fix }: AgentProblem): string {
  return `${path ?? 'agent'}:${line}:${column} ${message}${fix === undefined ? '' : ` ${fix}`}`;
}
