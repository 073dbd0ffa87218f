import {
  composeProviders,
  createSkillset,
  emptySkillState,
  skillAllowedTools,
  SkillRegistry,
  type SkillActivity,
  type SkillDefinition,
  type SkillDiagnostic,
  type SkillsetOptions,
} from '@repertoire/skills-core';
import type { SkillToolContext } from '@repertoire/skills-core/adapter';
import { describe, expect, it } from 'vitest';
import { skillWorkflows, type SkillWorkflowsOptions, type WorkflowTools } from '../src/index.ts';

const number = { type: 'number', description: 'A number.' };
const sums: SkillDefinition = {
  name: 'three-sums',
  description: 'Adds three numbers.',
  body: '# Sums',
  steps: [
    { name: 'first', tool: 'add', input: { a: '$.input.a', b: '$.input.b' } },
    { name: 'second', tool: 'add', input: { a: '$.steps.first.output.sum', b: '$.input.nested.c' } },
  ],
};
const input = { a: 1, b: 2, nested: { c: 3 } };

interface Given {
  readonly skills?: readonly SkillDefinition[];
  readonly trusted?: boolean;
  readonly workflows?: Partial<SkillWorkflowsOptions>;
  readonly options?: Partial<SkillsetOptions>;
}

async function open({ skills = [sums], trusted = true, workflows, options }: Given = {}) {
  const ran: string[] = [];
  const events: SkillActivity[] = [];
  const diagnostics: SkillDiagnostic[] = [];
  const tools: WorkflowTools = {
    add: {
      execute({ a, b }, { idempotencyKey }) {
        ran.push(idempotencyKey ?? 'add');
        return { sum: Number(a) + Number(b) };
      },
      inputSchema: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] },
    },
    fail: () => {
      throw new Error('No.');
    },
    echo: (given) => given,
  };
  const skillset = createSkillset({
    provider: new SkillRegistry({ skills, trusted }),
    workflows: skillWorkflows({ tools, ...workflows }),
    onEvent: (event) => void events.push(event),
    onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
    ...options,
  });
  const session = await skillset.open({ conversation: 'chat-7' });
  const call = async (name: string, given: unknown, context: Partial<SkillToolContext> = {}) => {
    const tool = session.tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    return await tool.execute(given, { state: emptySkillState, ...context });
  };
  const run = async (given: unknown, context: Partial<SkillToolContext> = {}, skill = 'three-sums') =>
    await call('run_skill_workflow', { skill, input: given }, context);
  const load = async (skill = 'three-sums') => await call('load_skill', { name: skill });
  return { session, skillset, ran, events, diagnostics, run, call, load };
}

const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

describe('skillWorkflows', () => {
  it('FLW-4: gives a tool to sessions that have a trusted workflow skill, and to no others', async () => {
    const plain: SkillDefinition = { name: 'plain', description: 'No steps.', body: '' };
    const { session, skillset } = await open();
    expect(names(session.tools)).toEqual(['load_skill', 'read_skill_file', 'run_skill_workflow']);
    expect(names(skillset.toolDescriptions)).toContain('run_skill_workflow');
    expect(names((await open({ skills: [plain] })).session.tools)).toEqual(['load_skill', 'read_skill_file']);
    expect(names((await open({ trusted: false })).session.tools)).toEqual(['load_skill', 'read_skill_file']);
    const without = createSkillset({ skills: [sums] });
    expect(names((await without.open()).tools)).toEqual(['load_skill', 'read_skill_file']);
    expect(names(without.toolDescriptions)).not.toContain('run_skill_workflow');
  });

  it('FLW-4: the load result tells the steps, and the input by a schema that comes from references and tools', async () => {
    const { load } = await open();
    const { text } = await load();
    expect(text, 'S1-24').toContain(
      '<skill_workflow>\nThis skill is a workflow of 2 steps: first, second. Run all of it with one call of run_skill_workflow (skill: "three-sums"); do not do its steps yourself. JSON Schema of its input:\n{',
    );
    expect(JSON.parse(/^\{.*\}$/m.exec(text)![0])).toEqual({
      type: 'object',
      properties: { a: number, b: number, nested: { type: 'object', properties: { c: number }, required: ['c'] } },
      required: ['a', 'b', 'nested'],
      additionalProperties: false,
    });
  });

  it('FLW-4: leaves the schema open where the whole input is passed on', async () => {
    const { load, run } = await open({
      skills: [{ ...sums, steps: [{ name: 'all', tool: 'echo', input: { all: '$.input', first: '$.input.list[0]' } }] }],
    });
    expect((await load()).text).toContain(
      '{"type":"object","properties":{"list":{"type":"array"}},"required":["list"],"additionalProperties":true}',
    );
    expect((await run({ list: [1], more: 2 })).text).toBe('{"all":{"list":[1],"more":2},"first":1}');
  });

  it.each(['skill', 'name', 'skill_name', 'skill_id', 'workflow'])('FLW-4: takes the name of the skill as %s', async (field) => {
    const { call } = await open();
    expect((await call('run_skill_workflow', { [field]: 'three-sums', input })).text).toBe('{"sum":6}');
  });

  it('FLW-4: runs without being loaded, tells its progress, makes keys from the conversation and the call, and answers with the last output', async () => {
    const lines: string[] = [];
    const { run, ran, events } = await open();
    const result = await run(input, { callId: 'call-1', onProgress: (line) => void lines.push(line) });
    expect(result).toEqual({ text: '{"sum":6}', events: [] });
    expect(ran).toEqual(['chat-7:call-1:first', 'chat-7:call-1:second']);
    expect(lines).toEqual([
      'three-sums 1/2 first: started',
      'three-sums 1/2 first: finished',
      'three-sums 2/2 second: started',
      'three-sums 2/2 second: finished',
    ]);
    expect(events.filter(({ type }) => type === 'workflow_run')).toEqual([
      { type: 'workflow_run', skill: 'three-sums', version: null, source: 'code', trusted: true },
    ]);
  });

  it('FLW-4: takes input as JSON text, and survives a display that breaks', async () => {
    const { run } = await open();
    const onProgress = (): never => {
      throw new Error('The display broke.');
    };
    expect((await run(JSON.stringify(input), { onProgress })).text).toBe('{"sum":6}');
  });

  it.each([
    ['a text', 'Error (invalid-input): run_skill_workflow takes input as an object, not "a text".'],
    [{ a: 1, b: 2 }, 'Error (invalid-input): The workflow "three-sums" needs $.input.nested.c. Pass it in input; null counts as a value.'],
    [{ ...input, d: 4 }, 'Error (invalid-input): The input has the unknown fields d. Fields: a, b, nested.'],
  ])('FLW-4: answers %j with an error that the model can act on, and runs nothing', async (given, text) => {
    const { run, ran } = await open();
    expect((await run(given)).text).toBe(text);
    expect(ran).toEqual([]);
  });

  it('FLW-4: says what failed and what was finished by then', async () => {
    const { run, events } = await open({ skills: [{ ...sums, steps: [sums.steps![0]!, { name: 'boom', tool: 'fail' }] }] });
    const { text, error } = await run({ a: 1, b: 2 });
    expect(text).toBe(
      'Error (step-failed): Step "boom" of the workflow "three-sums" failed. No. Steps that finished: first. Do not call it again unless the cause is gone; tell the user what failed.',
    );
    expect(error?.code).toBe('step-failed');
    expect(events.at(-1)).toMatchObject({ type: 'workflow_run', error: 'step-failed' });
  });

  it('FLW-4: rejects on an abort and on nothing else', async () => {
    const { run } = await open();
    await expect(run(input, { signal: AbortSignal.abort(new Error('Enough.')) })).rejects.toThrow('Enough.');
  });

  it('FLW-4: cuts a long output and says so', async () => {
    const { run } = await open({
      skills: [{ ...sums, steps: [{ name: 'all', tool: 'echo', input: { text: '$.input.text' } }] }],
      workflows: { maxResultCharacters: 100 },
    });
    expect((await run({ text: 'x'.repeat(500) })).text).toBe(`{"text":"${'x'.repeat(91)}\n[The output is cut: 100 of 511 characters.]`);
  });

  it('FLW-4: a workflow that cannot run is reported, told to nobody, and refused', async () => {
    const skills = [
      { ...sums, name: 'broken', steps: [{ name: 'a', tool: 'gone' }] },
      { ...sums, name: 'asks', steps: [{ name: 'ask', prompt: 'Say.' }] },
    ];
    const { load, run, diagnostics } = await open({ skills });
    for (const [skill, what] of [
      ['broken', 'There is no tool "gone". Tools: add, fail, echo.'],
      ['asks', 'has prompt steps. Pass generate.'],
    ] as const) {
      expect((await load(skill)).text).not.toContain('skill_workflow');
      expect(diagnostics.find((diagnostic) => diagnostic.skill === skill && diagnostic.code === 'workflow-not-offered')?.message).toContain(
        what,
      );
      expect((await run({}, {}, skill)).text).toContain(what);
    }
  });

  it('FLW-4: refuses options that do not exist', () => {
    expect(() => skillWorkflows({ tols: {} } as never)).toThrow('tols');
  });
});

describe('a workflow and the rules of its session', () => {
  it('GOV-1: opens the tools of its own skill and no others, for the run alone', async () => {
    const owner: SkillDefinition = { name: 'vault', description: 'Owns a tool.', body: '', tools: ['echo'] };
    const own = { ...sums, tools: ['add'] };
    const thief = { ...sums, name: 'thief', steps: [{ name: 'take', tool: 'echo' }] };
    const { run, session } = await open({ skills: [owner, own, thief] });
    expect((await session.judgeCall(emptySkillState, { tool: 'add', input: {} })).decision).toBe('denied');
    expect((await run(input)).text).toBe('{"sum":6}');
    const stolen = await run({}, {}, 'thief');
    expect(stolen.text).toContain('load_skill');
    expect(stolen.text).toContain('Step "take"');
    expect(stolen.error?.code).toBe('step-failed');
    const loaded = session.apply(emptySkillState, (await session.load({ name: 'vault' }, { state: emptySkillState })).events);
    expect((await run({}, { state: loaded }, 'thief')).text).toBe('{}');
    expect((await session.judgeCall(emptySkillState, { tool: 'add', input: {} })).decision).toBe('denied');
  });

  it('GOV-2: stays within allowed-tools of the loaded skills, and within its own', async () => {
    const strict = { ...sums, name: 'strict', allowedTools: ['echo'] };
    const { run, ran, session } = await open({
      skills: [strict, sums],
      options: { allowedTools: skillAllowedTools({ policy: 'restrict' }) },
    });
    expect((await run(input, {}, 'strict')).error?.code).toBe('step-failed');
    expect((await run(input)).text).toBe('{"sum":6}');
    ran.length = 0;
    const loaded = session.apply(emptySkillState, (await session.load({ name: 'strict' }, { state: emptySkillState })).events);
    expect((await run(input, { state: loaded })).text).toContain('failed');
    expect(ran).toEqual([]);
  });

  it('GOV-5: runs only what the request selects and may load, and what is open to models', async () => {
    const closed = { ...sums, name: 'by-hand', disableModelInvocation: true };
    const { run, ran, session } = await open({
      skills: [sums, closed, { ...sums, name: 'other' }, { ...sums, name: 'secret' }],
      options: {
        audience: {
          select: ({ name }) => name !== 'other',
          permissions: ({ action, skill }) => action !== 'load' || skill.name !== 'secret',
        },
      },
    });
    expect((await run(input, {}, 'other')).error?.code).toBe('skill-not-found');
    expect((await run(input, {}, 'secret')).error?.code).toBe('permission-denied');
    expect((await run(input, {}, 'by-hand')).error?.code).toBe('skill-not-found');
    expect(ran).toEqual([]);
    const started = await session.invoke('/by-hand', { state: emptySkillState });
    expect((await run(input, { state: session.apply(emptySkillState, started!.events) }, 'by-hand')).text).toBe('{"sum":6}');
  });

  it('GOV-6: never runs the steps of a source that is not trusted, also beside one that is', async () => {
    const stranger = { ...sums, name: 'stranger' };
    const provider = composeProviders([
      new SkillRegistry({ skills: [sums] }),
      new SkillRegistry({ skills: [stranger], trusted: false, label: 'web' }),
    ]);
    const { run, ran, load } = await open({ options: { provider } });
    expect((await load('stranger')).text).not.toContain('skill_workflow');
    expect((await run(input, {}, 'stranger')).text).toBe(
      'Error (permission-denied): The workflow of skill "stranger" is not run: its source is not trusted.',
    );
    expect(ran).toEqual([]);
  });
});
