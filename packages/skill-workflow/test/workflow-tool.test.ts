import { inCodeSkillProvider, type SkillDiagnostic, type SkillDefinition } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { progressLine, workflowTool, workflowTools, type WorkflowToolOptions, type WorkflowTools } from '../src/index.ts';

const number = { type: 'number', description: 'A number.' };
const tools: WorkflowTools = {
  add: {
    execute: ({ a, b }) => ({ sum: Number(a) + Number(b) }),
    inputSchema: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] },
  },
  fail: () => {
    throw new Error('No.');
  },
  echo: (input) => input,
};
const sums: SkillDefinition = {
  name: 'three-sums',
  description: 'Adds three numbers.',
  body: '# Sums',
  steps: [
    { name: 'first', tool: 'add', input: { a: '$.input.a', b: '$.input.b' } },
    { name: 'second', tool: 'add', input: { a: '$.steps.first.output.sum', b: '$.input.nested.c' } },
  ],
};
const listed = async (...skills: readonly SkillDefinition[]) => (await inCodeSkillProvider(skills).listSkills()).skills;
const toolOf = async (skill: SkillDefinition, options: Partial<WorkflowToolOptions> = {}) =>
  workflowTool((await listed(skill))[0]!, { tools, ...options });

describe('workflowTool', () => {
  it('FLW-4: has a schema that is derived from the references and from the schemas of the tools', async () => {
    const { role, name, description, inputSchema } = await toolOf(sums);
    expect({ role, name, description, inputSchema }).toEqual({
      role: 'workflow',
      name: 'run_three_sums',
      description:
        'Adds three numbers. Runs the workflow of the skill "three-sums" to its end (first, second) and returns the output of the last step. Call it once with all inputs.',
      inputSchema: {
        type: 'object',
        properties: { a: number, b: number, nested: { type: 'object', properties: { c: number }, required: ['c'] } },
        required: ['a', 'b', 'nested'],
        additionalProperties: false,
      },
    });
  });

  it('FLW-4: leaves the schema open where the whole input is passed on', async () => {
    const steps = [{ name: 'all', tool: 'echo', input: { all: '$.input', first: '$.input.list[0]' } }];
    const tool = await toolOf({ ...sums, steps });
    expect(tool.inputSchema).toEqual({
      type: 'object',
      properties: { list: { type: 'array' } },
      required: ['list'],
      additionalProperties: true,
    });
    expect((await tool.execute({ list: [1], more: 2 })).text).toBe('{"all":{"list":[1],"more":2},"first":1}');
  });

  it('FLW-4: runs the workflow, tells its progress, and answers with the last output', async () => {
    const lines: string[] = [];
    const tool = await toolOf(sums);
    const result = await tool.execute(
      { a: 1, b: 2, nested: { c: 3 } },
      { onProgress: (progress) => void lines.push(progressLine(progress)) },
    );
    expect(result).toEqual({ text: '{"sum":6}', events: [] });
    expect(lines).toEqual([
      'three-sums 1/2 first: started',
      'three-sums 1/2 first: finished',
      'three-sums 2/2 second: started',
      'three-sums 2/2 second: finished',
    ]);
  });

  it.each([
    ['a text', 'Error (invalid-input): The input must be an object with the fields: a, b, nested.'],
    [{ a: 1, b: 2 }, 'Error (invalid-input): The workflow "three-sums" needs $.input.nested.c. Pass it in input; null counts as a value.'],
    [{ a: 1, b: 2, nested: { c: 3 }, d: 4 }, 'Error (invalid-input): The input has the unknown fields d. Fields: a, b, nested.'],
  ])('FLW-4: answers %j with an error that the model can act on', async (input, text) => {
    expect((await (await toolOf(sums)).execute(input)).text).toBe(text);
  });

  it('FLW-4: says what failed and what was finished by then', async () => {
    const steps = [sums.steps![0]!, { name: 'boom', tool: 'fail' }];
    const { text, error } = await (await toolOf({ ...sums, steps })).execute({ a: 1, b: 2 });
    expect(text).toBe(
      'Error (step-failed): Step "boom" of the workflow "three-sums" failed. No. Steps that finished: first. Do not call it again unless the cause is gone; tell the user what failed.',
    );
    expect(error?.code).toBe('step-failed');
  });

  it('FLW-4: rejects on an abort and on nothing else', async () => {
    const tool = await toolOf(sums);
    await expect(tool.execute({}, { signal: AbortSignal.abort(new Error('Enough.')) })).rejects.toThrow('Enough.');
  });

  it('FLW-4: cuts a long output and says so', async () => {
    const tool = await toolOf(
      { ...sums, steps: [{ name: 'all', tool: 'echo', input: { text: '$.input.text' } }] },
      { maxResultCharacters: 100 },
    );
    const { text } = await tool.execute({ text: 'x'.repeat(500) });
    expect(text).toBe(`{"text":"${'x'.repeat(91)}\n[The output is cut: 100 of 511 characters.]`);
  });
});

describe('workflowTools', () => {
  it('FLW-4: offers each workflow that a model may run, and reports the others', async () => {
    const diagnostics: SkillDiagnostic[] = [];
    const skills = await listed(
      { name: 'plain', description: 'No steps.', body: '' },
      sums,
      { ...sums, name: 'broken', steps: [{ name: 'a', tool: 'gone' }] },
      { ...sums, name: 'by-hand', disableModelInvocation: true },
      { ...sums, name: 'asks', steps: [{ name: 'ask', prompt: 'Say.' }] },
    );
    const { skills: [stranger] } = await inCodeSkillProvider([{ ...sums, name: 'stranger' }], { trusted: false }).listSkills();
    const offered = workflowTools([...skills, stranger!], { tools, onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic) });
    expect(offered.map(({ name }) => name)).toEqual(['run_three_sums']);
    expect(diagnostics.map(({ skill, code, severity }) => [skill, code, severity])).toEqual([
      ['asks', 'workflow-not-offered', 'warning'],
      ['broken', 'workflow-not-offered', 'warning'],
      ['by-hand', 'workflow-not-offered', 'info'],
      ['stranger', 'workflow-not-offered', 'info'],
    ]);
    expect(diagnostics.map(({ message }) => message).join('\n')).toContain('There is no tool "gone". Tools: add, fail, echo.');
  });
});
