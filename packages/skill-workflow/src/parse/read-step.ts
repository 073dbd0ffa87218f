import { isJsonObject, type JsonObject } from '@repertoire/skills-core/internal';
import { oneLineOf } from '../one-line-of.ts';
import type { ValuePath } from '../references/reference.ts';
import type { WorkflowArguments, WorkflowBranch, WorkflowStep } from '../workflow.ts';
import type { ProblemList } from './workflow-problem.ts';
import { readReferenceField, readRules } from './read-rules.ts';

const actions = ['tool', 'tools', 'prompt', 'approve'] as const;
const rules = ['when', 'retry', 'timeout_ms'];
type Action = (typeof actions)[number];

const fieldsOf: Readonly<Record<Action, readonly string[]>> = {
  tool: ['name', 'tool', 'input', 'for_each', ...rules],
  tools: ['name', 'tools', ...rules],
  prompt: ['name', 'prompt', 'input', 'system_prompt', 'for_each', ...rules],
  // How long a person may take is not for an author to say, and a no is not asked again.
  approve: ['name', 'approve', 'input', 'when'],
};

const maxBranches = 100;

/** Names that can stand in a path, in an idempotency key and in the records of every engine. */
const validName = /^[A-Za-z0-9_-]{1,64}$/;

/** Reads one step. Reports problems; `undefined` if it cannot be used at all. */
export function readStep(written: unknown, at: ValuePath, problems: ProblemList): WorkflowStep | undefined {
  if (!isJsonObject(written)) {
    problems.add(at, `A step is ${oneLineOf(written)}.`, 'Write a mapping with a name and one of tool, tools, prompt and approve.');
    return undefined;
  }
  const name = readName(written, at, problems);
  const action = readAction(written, at, problems);
  if (action === undefined || name === undefined) return undefined;
  refuseOtherFields(written, fieldsOf[action], at, problems);
  const all = readRules(written, at, problems);
  if (action === 'tools') return { type: 'tools', name, branches: readBranches(written['tools'], [...at, 'tools'], problems), ...all };
  const text = readText(written, action, at, problems);
  const input = readInput(written, at, problems);
  if (text === undefined) return undefined;
  if (action === 'approve') return { type: 'approval', name, question: text, input, ...all };
  const forEach = readReferenceField(written, 'for_each', at, problems);
  const common = { input, ...(forEach !== undefined && { forEach }), ...all };
  if (action === 'tool') return { type: 'tool', name, tool: text, ...common };
  const systemPrompt = 'system_prompt' in written ? readText(written, 'system_prompt', at, problems) : undefined;
  return { type: 'prompt', name, prompt: text, ...(systemPrompt !== undefined && { systemPrompt }), ...common };
}

function readName(written: JsonObject, at: ValuePath, problems: ProblemList): string | undefined {
  const { name } = written;
  if (typeof name === 'string' && validName.test(name) && name !== '__proto__') return name;
  const message = 'name' in written ? `The name ${oneLineOf(name)} is not valid.` : 'The step has no name.';
  problems.add('name' in written ? [...at, 'name'] : at, message, 'Give a name of letters, digits, "-" and "_", up to 64 characters.');
  return undefined;
}

function readAction(written: JsonObject, at: ValuePath, problems: ProblemList): Action | undefined {
  const given = actions.filter((action) => action in written);
  if (given.length === 1) return given[0];
  const message = given.length === 0 ? 'The step has none of tool, tools, prompt and approve.' : `The step has ${given.join(' and ')}.`;
  problems.add(at, message, 'Give exactly one of tool, tools, prompt and approve.');
  return undefined;
}

function readBranches(written: unknown, at: ValuePath, problems: ProblemList): WorkflowBranch[] {
  if (!Array.isArray(written) || written.length === 0 || written.length > maxBranches) {
    const count = Array.isArray(written) ? `has ${written.length} entries` : `is ${oneLineOf(written)}`;
    problems.add(at, `tools ${count}.`, `Write a list of 1 to ${maxBranches} entries, each with a tool and an input.`);
    return [];
  }
  const branches = written.flatMap((entry: unknown, index) => readBranch(entry, [...at, index], problems) ?? []);
  // With a branch missing, the places of the others would be wrong.
  if (branches.length < written.length) return [];
  refuseRepeatedNames(branches, at, problems);
  return branches;
}

function readBranch(written: unknown, at: ValuePath, problems: ProblemList): WorkflowBranch | undefined {
  if (!isJsonObject(written)) {
    problems.add(at, `A branch is ${oneLineOf(written)}.`, 'Write a mapping with a tool and an input.');
    return undefined;
  }
  refuseOtherFields(written, ['name', 'tool', 'input'], at, problems);
  const tool = readText(written, 'tool', at, problems);
  const input = readInput(written, at, problems);
  const name = 'name' in written ? readName(written, at, problems) : tool;
  return tool === undefined || name === undefined ? undefined : { name, tool, input };
}

function refuseRepeatedNames(branches: readonly WorkflowBranch[], at: ValuePath, problems: ProblemList): void {
  for (const [index, { name }] of branches.entries()) {
    const first = branches.findIndex((branch) => branch.name === name);
    if (first < index) {
      problems.add(
        [...at, index],
        `The branch ${oneLineOf(name)} has the name of branch ${first + 1}.`,
        'Give each branch that calls the same tool a name of its own: `name: first`.',
      );
    }
  }
}

function readText(written: JsonObject, field: string, at: ValuePath, problems: ProblemList): string | undefined {
  const value = Object.hasOwn(written, field) ? written[field] : undefined;
  if (typeof value === 'string' && value.trim() !== '') return value;
  const message = value === undefined ? `${field} is missing.` : `${field} is ${oneLineOf(value)}.`;
  problems.add(value === undefined ? at : [...at, field], message, 'Give a text that is not empty.');
  return undefined;
}

function readInput(written: JsonObject, at: ValuePath, problems: ProblemList): WorkflowArguments {
  const { input } = written;
  if (input === undefined || input === null) return {};
  if (isJsonObject(input)) return input;
  problems.add([...at, 'input'], `input is ${oneLineOf(input)}.`, 'Write a mapping from the names of parameters to values.');
  return {};
}

function refuseOtherFields(written: JsonObject, known: readonly string[], at: ValuePath, problems: ProblemList): void {
  for (const key of Object.keys(written)) {
    if (known.includes(key) || (actions as readonly string[]).includes(key)) continue;
    problems.add([...at, key], `The field ${oneLineOf(key)} is not known here.`, `Known here: ${known.join(', ')}.`);
  }
}
