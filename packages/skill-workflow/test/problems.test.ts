import { SkillError } from '@repertoire/skills-core';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { describe, expect, it } from 'vitest';
import { checkWorkflow, parseWorkflow, type CheckWorkflowOptions } from '../src/index.ts';
import { workflowSource } from '../src/source.ts';

const problemsOf = (steps: readonly unknown[], options: CheckWorkflowOptions = {}) =>
  checkWorkflow({ name: 'flow', steps }, options).map(({ at, message, fix }) => `${at.join('.')} | ${message} ${fix}`);

const first = { name: 'first', tool: 'add' };

describe('checkWorkflow', () => {
  it('FLW-1: tells every mistake of steps with its place and the way out', async () => {
    const many = [
      [],
      ['add'],
      [{ tool: 'add' }],
      [{ name: 'a b', tool: 'add' }],
      [{ name: '__proto__', tool: 'add' }],
      [{ name: 'a' }],
      [{ name: 'a', tool: 'add', prompt: 'Say.' }],
      [{ name: 'a', tool: ' ' }],
      [{ ...first, input: [1] }],
      [{ ...first, inputs: {} }],
      [{ name: 'a', tools: [{ tool: 'add' }], input: {} }],
      [{ ...first, system_prompt: 'Be brief.' }],
      [{ name: 'a', tools: [] }],
      [{ name: 'a', tools: [{ input: {} }] }],
      [{ name: 'a', tools: [{ tool: 'add' }, { tool: 'add' }] }],
      [first, first],
      [{ ...first, input: { a: Number.NaN } }],
    ];
    const told = many.map(
      (steps) =>
        `${JSON.stringify(steps)}\n${problemsOf(steps)
          .map((problem) => `  ${problem}\n`)
          .join('')}`,
    );
    await expect(told.join(''), 'S1-19').toMatchFileSnapshot('broken/problems.txt');
  });

  it.each([
    ['$.steps.second.output', 'names the step "second", which has not run by then. Earlier steps: first, ask, both.'],
    ['$.steps.third.output', 'names the step "third", which does not exist. Earlier steps: first, ask, both.'],
    ['$.steps.first', 'does not lead to an output. Write $.steps.first.output.'],
    ['$.steps.first.result', 'does not lead to an output. Write $.steps.first.output.'],
    ['$.steps.ask.output.text', 'looks into the output of a prompt, which is text. Write $.steps.ask.output.'],
    ['$.steps.both.output.sub', 'names the branch "sub", which the step does not have. Branches: add, twice.'],
    ['$.inputs.a', 'does not start with $.input or $.steps.name.output. For the text itself, write "$$.inputs.a".'],
    ['$.input.d', 'names the input "d", which does not exist. Inputs: a, b.'],
    [
      '$.input[*]',
      'can match several places; write a path that leads to one. Write $.input.field or $.steps.name.output; for the text itself, write "$$.input[*]".',
    ],
    [
      '$..a',
      'can match several places; write a path that leads to one. Write $.input.field or $.steps.name.output; for the text itself, write "$$..a".',
    ],
    [
      '$.input.a b',
      'is not a valid path (at character 11). Write $.input.field or $.steps.name.output; for the text itself, write "$$.input.a b".',
    ],
  ])('FLW-2: %s', (reference, expected) => {
    const steps = [
      first,
      { name: 'ask', prompt: 'Say.' },
      { name: 'both', tools: [{ tool: 'add' }, { name: 'twice', tool: 'add' }] },
      { name: 'second', tool: 'add', input: { deep: [{ a: reference }] } },
    ];
    expect(problemsOf(steps, { inputs: ['a', 'b'] })).toEqual([
      `steps.3.input.deep.0.a | The reference ${JSON.stringify(reference)} ${expected}`,
    ]);
  });

  it('FLW-2: accepts every form of reference, and literals that look like one', () => {
    const input = {
      whole: '$.input',
      field: '$.input.a',
      quoted: "$.input['a b'][0]",
      branch: '$.steps.both.output.twice.price',
      last: '$.steps.both.output.add[-1]',
      answer: '$.steps.ask.output',
      price: '$5',
      escaped: '$$.input.a',
      dollar: '$',
    };
    expect(
      problemsOf([
        { name: 'ask', prompt: 'Say.' },
        { name: 'both', tools: [{ tool: 'add' }, { name: 'twice', tool: 'add' }] },
        { name: 'use', tool: 'add', input },
      ]),
    ).toEqual([]);
  });

  it('FLW-1: names a tool that does not exist, and those that do', () => {
    expect(problemsOf([{ name: 'a', tools: [{ tool: 'sub' }] }], { tools: ['add', 'multiply'] })).toEqual([
      'steps.0.tools.0.tool | There is no tool "sub". Tools: add, multiply.',
    ]);
  });

  it('FLW-2: a step that is broken itself is reported once, not again by each reference to it', () => {
    expect(problemsOf([{ name: 'first' }, { name: 'second', tool: 'add', input: { a: '$.steps.first.output' } }])).toHaveLength(1);
  });

  it('FLW-1: reports no more than fifty problems', () => {
    expect(problemsOf(Array.from({ length: 100 }, () => 'no step'))).toHaveLength(50);
  });
});

describe('parseWorkflow', () => {
  it('FLW-1: throws one error with every problem, its path, its line and its column', () => {
    const text = [
      '---',
      'name: flow',
      'description: Adds.',
      'steps:',
      '  - name: first',
      '    tool: sub',
      '    input: { a: "$.input.a" }',
      '  - name: second',
      '    tool: add',
      '    input:',
      '      a: "$.steps.third.output"',
      '  - tool: add',
      '---',
      'Body.',
    ].join('\n');
    const { metadata } = parseSkillMd(text);
    expect(metadata?.steps).toHaveLength(3);
    const parse = () => parseWorkflow(metadata!, { tools: ['add'], source: workflowSource(text), allowUntrusted: true });
    expect(parse).toThrow(
      new SkillError(
        'invalid-skill',
        'The workflow "flow" cannot run. ' +
          'steps[0].tool (line 6, column 11): There is no tool "sub". Tools: add. ' +
          'steps[1].input.a (line 11, column 10): The reference "$.steps.third.output" names the step "third", which does not exist. Earlier steps: first. ' +
          'steps[2] (line 12, column 5): The step has no name. Give a name of letters, digits, "-" and "_", up to 64 characters.',
        { skill: 'flow' },
      ),
    );
  });

  it('FLW-1: refuses a skill that nobody trusts, since its steps choose the calls', () => {
    const untrusted = { name: 'flow', steps: [first], origin: { kind: 'http', label: 'web', trusted: false } };
    expect(() => parseWorkflow(untrusted)).toThrow(expect.objectContaining({ code: 'permission-denied' }));
    expect(() => parseWorkflow({ name: 'flow', steps: [first] })).toThrow(expect.objectContaining({ code: 'permission-denied' }));
    expect(parseWorkflow({ ...untrusted, origin: { ...untrusted.origin, trusted: true } }).steps).toHaveLength(1);
    expect(parseWorkflow(untrusted, { allowUntrusted: true }).steps).toHaveLength(1);
  });

  it('FLW-3: makes plain data that survives JSON and does not change with the skill', () => {
    const input = { a: '$.input.a', list: [1, null, true] };
    const workflow = parseWorkflow({ name: 'flow', version: '1.0.0', steps: [{ ...first, input }] }, { allowUntrusted: true });
    const before = JSON.stringify(workflow);
    input.list.push(2);
    expect(JSON.stringify(workflow)).toBe(before);
    expect(JSON.parse(before)).toEqual(workflow);
    expect(workflow).toEqual({
      name: 'flow',
      version: '1.0.0',
      steps: [{ type: 'tool', name: 'first', tool: 'add', input: { a: '$.input.a', list: [1, null, true] } }],
    });
  });
});

describe('workflowSource', () => {
  it('FLW-1: points at the parent of what is missing, through quotes, aliases and CRLF', () => {
    const text = ['---', 'name: a', 'shared: &shared { a: 1 }', 'steps:', '  - "name": x', '    input: *shared', '---'].join('\r\n');
    const source = workflowSource(text);
    expect([
      source.locate(['steps', 0, 'name']),
      source.locate(['steps', 0, 'tool']),
      source.locate(['steps', 0, 'input', 'a']),
      source.locate(['steps', 7]),
      source.locate(['other']),
    ]).toEqual([
      { line: 5, column: 13 },
      { line: 5, column: 5 },
      { line: 3, column: 22 },
      { line: 5, column: 3 },
      { line: 2, column: 1 },
    ]);
  });

  it('FLW-1: knows no places in a file without frontmatter', () => {
    expect(workflowSource('# Title').locate(['steps'])).toBeUndefined();
  });
});
