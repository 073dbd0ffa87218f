import {
  createSkillset,
  emptySkillState,
  SkillError,
  SkillRegistry,
  type SkillDiagnostic,
  type SkillProvider,
} from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import type { SkillTranscriptEntry } from '@repertoire/skills-core/adapter';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { dynamicTool, generateText, isStepCount, jsonSchema, streamText, type LanguageModel, type ToolSet } from 'ai';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { bytesOfText, textOfBytes, fromRecord, toRecord } from '../src/agent/record-values.ts';
import { durableAgent, type DurableEngine } from '../src/agent.ts';
import { skillWorkflows, type WorkflowTools } from '../src/index.ts';
import { listEngine } from './list-engine.ts';
import { aiSdkAnswer, durableAiSdk, remoteAiSdkModel } from '../src/ai-sdk.ts';

/** Records nothing. */
const unrecorded: DurableEngine = { workflowId: 'w', runStep: async (_id, work) => await work() };

const refunds = { name: 'refunds', description: 'Refunds money.', body: 'First charge.', tools: ['charge'] };
const skills = (): SkillProvider => new SkillRegistry({ skills: [refunds] });
const load = { tool: 'load_skill', input: { name: 'refunds' } };

describe('durableAgent', () => {
  it('FLW-5: a call that the gate refuses now does not get the answer that was recorded when it was open', async () => {
    const list: { id: string; text: string }[] = [];
    const run = async (mayLoad: boolean): Promise<unknown> => {
      const durable = durableAgent(listEngine(list));
      const { session } = await durable.openSkills({
        provider: skills(),
        audience: { permissions: ({ action }) => action !== 'load' || mayLoad },
      });
      const transcript: SkillTranscriptEntry[] = [
        { ...load, output: String((await session.tools[0]?.execute(load.input, { state: emptySkillState, callId: '1' }))?.text) },
      ];
      const verdict = await session.judgeCall(session.state(transcript), { tool: 'charge' });
      return verdict.decision === 'denied' ? verdict.error.code : await durable.callTool('2', async () => 'charged');
    };
    expect(await run(true)).toBe('charged');
    expect(await run(true)).toBe('charged');
    expect(list.map(({ id }) => id)).toEqual(['skills', 'call 1', 'call 2']);
    expect(await run(false)).toBe('not-loaded');
  });

  it('FLW-7: two workflows at once, killed behind each step while their skill changes: each call of both runs once, with the tool that the skill opened', async () => {
    const playWith = async (kills: number) => {
      const list: { id: string; text: string }[] = [];
      const done: string[] = [];
      const play = async (edition: string, most: number, slow: string): Promise<unknown> => {
        const { promise: killed, resolve: kill } = Promise.withResolvers<'killed'>();
        const engine = listEngine(list);
        const mortal: DurableEngine = {
          ...engine,
          async runStep(id, work) {
            const value = await engine.runStep(id, work);
            if (list.filter((each) => each !== undefined).length < most) return value;
            kill('killed');
            return await new Promise(() => {});
          },
        };
        const charge: WorkflowTools[string] = async ({ n }, { idempotencyKey = '' }) => {
          // Which of the two is slower differs from process to process.
          for (let turn = 0; turn < (idempotencyKey.includes(slow) ? 20 : 0); turn += 1) await Promise.resolve();
          done.push(`${idempotencyKey} ${String(n)}`);
          return n;
        };
        const input = { n: edition };
        const steps = [
          { name: 'a', tool: 'charge', input },
          {
            name: 'b',
            tools: [
              { tool: 'charge', input },
              { name: 'too', tool: 'charge', input },
            ],
          },
        ];
        const provider = new SkillRegistry({ skills: [{ ...refunds, body: edition, steps }] });
        const run = async (): Promise<unknown> => {
          const durable = durableAgent(mortal);
          const workflows = skillWorkflows({ tools: { charge } });
          const { session } = await durable.openSkills({ provider, gates: { tools: ['charge'] }, workflows });
          const tool = session.tools.find(({ role }) => role === 'runWorkflow');
          const call = (id: string): Promise<unknown> =>
            durable.inTurn(
              id,
              async (callId) => (await tool?.execute({ skill: 'refunds', input: {} }, { state: emptySkillState, callId }))?.text,
            );
          return await Promise.all([call('one'), call('two')]);
        };
        return await Promise.race([run(), killed]);
      };
      for (let process = 1; process <= kills; process += 1) await play(`v${process}`, 1 + process, process % 2 === 0 ? 'one' : 'two');
      return [await play('last', Number.POSITIVE_INFINITY, 'one'), done] as const;
    };
    let isAnyOpen = false;
    for (let kills = 0; kills < 10; kills += 1) {
      const [texts, done] = await playWith(kills);
      const [one, two] = texts as readonly [string, string];
      const first = kills === 0 ? 'last' : 'v1';
      const calls = (id: string, edition = '') => ['a', 'b/charge', 'b/too'].map((call) => `w:${id}:${call} ${edition}`);
      const outputOf = (edition: string) => `{"charge":"${edition}","too":"${edition}"}`;
      expect(one).toBe(outputOf(first));
      // The run is judged by the skills that it listed: with the steps of a later edition, the
      // skill opens nothing.
      const second = /charge":"(\w+)"/.exec(two)?.[1];
      if (second === undefined) expect(two).toContain('The tool charge is locked.');
      expect(second ?? first).toBe(first);
      expect(done).toEqual([...calls('one', first), ...(second === undefined ? [] : calls('two', second))]);
      isAnyOpen ||= second !== undefined;
    }
    expect(isAnyOpen).toBe(true);
  });

  it('FLW-7: a workflow that ends first leaves the other one with the skill that it began with', async () => {
    let body = 'v1';
    const workflow = (name: string, ...steps: string[]) => ({
      ...refunds,
      name,
      body,
      steps: steps.map((step) => ({ name: step, tool: 'charge', input: {} })),
    });
    const library = () => new SkillRegistry({ skills: [workflow('quick', 'a'), workflow('slow', 'a', 'b')] });
    const provider: SkillProvider = {
      label: 'changing',
      listSkills: async (options) => await library().listSkills(options),
      getSkill: async (name, options) => await library().getSkill(name, options),
      readResource: async () => null,
    };
    const [slowBegan, quickEnded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const charge: WorkflowTools[string] = async (_input, { workflow: name }) => {
      if (name === 'slow') slowBegan.resolve();
      await (name === 'slow' ? quickEnded : slowBegan).promise;
    };
    const workflows = skillWorkflows({ tools: { charge } });
    const { session } = await durableAgent(unrecorded).openSkills({ provider, gates: { tools: ['charge'] }, workflows });
    const tool = session.tools.find(({ role }) => role === 'runWorkflow');
    const run = async (skill: string) => await tool?.execute({ skill, input: {} }, { state: emptySkillState, callId: skill });
    const slow = run('slow');
    const quick = await run('quick');
    body = 'v2';
    quickEnded.resolve();
    expect([quick?.text, (await slow)?.text]).toEqual(['null', 'null']);
  });

  it('FLW-5: two calls with one id are two steps with two keys, and long ids stay within what engines take', async () => {
    const ids: string[] = [];
    const keys: string[] = [];
    const durable = durableAgent({ workflowId: 'w', runStep: async (id, work) => (ids.push(id), await work()) });
    for (const id of ['call_0', 'call_0', 'call_0#2', 'x'.repeat(5000), `${'x'.repeat(5000)}y`])
      await durable.callTool(id, async ({ idempotencyKey }) => void keys.push(idempotencyKey));
    expect(new Set(keys).size).toBe(5);
    expect(keys.slice(0, 2)).toEqual(['w:call_0', 'w:call_0#2']);
    expect(Math.max(...ids.map(({ length }) => length))).toBeLessThan(200);
  });

  it('FLW-5: what a tool throws is recorded as its answer, the same in every run; what the engine throws ends the run', async () => {
    const list: { id: string; text: string }[] = [];
    let times = 0;
    const run = async (): Promise<unknown[]> => {
      const durable = durableAgent(listEngine(list));
      const failing = async (id: string, error: unknown): Promise<unknown> =>
        await durable
          .callTool(id, async () => {
            times += 1;
            throw error;
          })
          .catch((thrown: unknown) => thrown);
      return [
        await failing('1', new TypeError('No seats.')),
        await failing('2', new SkillError('not-loaded', 'Closed.')),
        await failing('3', 'text'),
      ];
    };
    const [first, again] = [await run(), await run()];
    expect(times).toBe(3);
    expect(again.map(String)).toEqual(['TypeError: No seats.', 'Error (not-loaded): Closed.', 'Error: text']);
    expect(first.map(String)).toEqual(again.map(String));

    const other = durableAgent(listEngine(list));
    await expect(other.callTool('another', async () => 'x')).rejects.toThrow('call 1 was recorded when call another was expected');
    // A framework would tell the model of that error and go on, with the answers of others.
    await expect(other.askModel(async () => 'x')).rejects.toThrow('was recorded when');
    await expect(other.callTool('1', async () => 'x')).rejects.toThrow('call another was expected');
    // And a loop that ends well all the same is told.
    expect(() => other.throwIfCut()).toThrow('call another was expected');
    expect(() => durableAgent(listEngine(list)).throwIfCut()).not.toThrow();
  });

  it('FLW-5: a call that was given up is no failure of the tool', async () => {
    const controller = new AbortController();
    const durable = durableAgent({ workflowId: 'w', runStep: async (_id, work) => await work(controller.signal) });
    const call = durable.callTool('1', async ({ signal }) => {
      controller.abort(new Error('The worker goes away.'));
      signal?.throwIfAborted();
    });
    await expect(call).rejects.toThrow('The worker goes away.');
    await expect(durable.askModel(async () => 'x')).rejects.toThrow('The worker goes away.');
  });

  it('FLW-5: calls at the same time start their steps in the order of their turns, however long each is judged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ rounds: fc.nat(5), refused: fc.boolean(), same: fc.boolean() }), { maxLength: 6 }),
        async (calls) => {
          const started: string[] = [];
          const durable = durableAgent({ workflowId: 'w', runStep: async (id, work) => (started.push(id), await work()) });
          const idOf = (index: number): string => (calls[index]?.same === true ? 'same' : `${index}`);
          await Promise.all(
            calls.map(({ rounds, refused }, index) =>
              durable.inTurn(idOf(index), async (id) => {
                for (let round = 0; round < rounds; round += 1) await new Promise((resolve) => setImmediate(resolve));
                if (!refused) expect(await durable.callTool(id, async () => index)).toBe(index);
              }),
            ),
          );
          const wanted = calls.flatMap(({ refused, same }, index) => (refused ? [] : [same ? 'same' : `${index}`]));
          expect(started.map((id) => id.replace('call ', '').replace(/#\d+$/, ''))).toEqual(wanted);
        },
      ),
      { seed: 5, numRuns: 60 },
    );
  });

  it('FLW-5: what a step returns is JSON already in the run that does it, so a resumed run reads the same', async () => {
    const list: { id: string; value: unknown }[] = [];
    /** Gives the first run what the work returned, as it is, and a resumed one what was written. */
    const engineOf = (): DurableEngine => {
      let count = 0;
      return {
        workflowId: 'w',
        runStep: async (id, work) => {
          const at = (count += 1) - 1;
          const known = list[at];
          if (known !== undefined) return JSON.parse(JSON.stringify(known.value)) as never;
          const value = await work();
          list[at] = { id, value };
          return value;
        },
      };
    };
    const run = async (): Promise<unknown> => {
      const durable = durableAgent(engineOf());
      const answer = await durable.askModel(async () => ({ at: new Date(0), none: undefined, list: [undefined, Number.NaN] }));
      return [answer, await durable.step('nothing', async () => undefined)];
    };
    const first = await run();
    expect(first).toStrictEqual([{ at: '1970-01-01T00:00:00.000Z', list: [null, null] }, null]);
    expect(await run()).toStrictEqual(first);
    await expect(durableAgent(unrecorded).askModel(async () => 1n)).rejects.toMatchObject({ code: 'step-failed' });
  });

  it('FLW-5: what a tool throws is bounded, like what it returns', async () => {
    const durable = durableAgent(unrecorded, { maxOutputCharacters: 20 });
    const failing = durable.callTool('1', async () => {
      throw new Error('x'.repeat(1000));
    });
    await expect(failing).rejects.toThrow(/^x{20}… \(cut: 20 of 1000 characters\)$/);
  });

  it('FLW-5: an output is JSON in every run, and bounded', async () => {
    const durable = durableAgent(unrecorded, { maxOutputCharacters: 20 });
    await expect(durable.callTool('2', async () => 'x'.repeat(30))).rejects.toMatchObject({ code: 'limit-exceeded' });
    expect(await durableAgent(unrecorded).callTool('1', async () => ({ at: new Date(0), gone: undefined }))).toEqual({
      at: '1970-01-01T00:00:00.000Z',
    });
    expect(() => durableAgent(unrecorded, { maxOutputCharacters: 0 })).toThrow('maxOutputCharacters');
  });
});

describe('openSkills', () => {
  it('FLW-5: what is read outside of calls is a step too, and a replay reads nothing', async () => {
    const list: { id: string; text: string }[] = [];
    const run = async (body: string): Promise<[string, number]> => {
      const source = fixedSkillProvider([{ ...refunds, body }]);
      const read = vi.fn<SkillProvider['getSkill']>(source.getSkill);
      const durable = durableAgent(listEngine(list));
      const { session } = await durable.openSkills({
        provider: { ...source, getSkill: read },
        surface: { instructions: 'with-catalog', mode: 'system-prompt' },
      });
      const loaded = await session.tools[0]?.execute(load.input, { state: emptySkillState, callId: '1' });
      const state = session.state([{ ...load, output: String(loaded?.text) }]);
      return [await session.activeInstructions(state), read.mock.calls.length];
    };
    const [text, reads] = await run('First charge.');
    expect(text).toContain('First charge.');
    expect(reads).toBe(2);
    expect(await run('Never charge.')).toEqual([text, 0]);
    expect(list.map(({ id }) => id)).toEqual(['skills', 'call 1', 'skill refunds@']);
  });

  it('FLW-5, GOV-11: a run is judged by what it recorded, without a step; another content is told in the step that finds it', async () => {
    const list: { id: string; text: string }[] = [];
    const edition = (limit: string) => ({ ...refunds, resources: { 'limits.md': limit } });
    const run = async (): Promise<unknown[]> => {
      const registry = new SkillRegistry({ skills: [edition('At most 10.')], trusted: true });
      const { session } = await durableAgent(listEngine(list)).openSkills({ provider: registry, gates: { tools: ['charge'] } });
      const toolOf = (name: string) => session.tools.find((tool) => tool.name === name)!;
      const loaded = await toolOf('load_skill').execute(load.input, { state: emptySkillState, callId: '1' });
      const state = session.apply(emptySkillState, loaded.events);
      registry.replace(edition('At most 1,000,000.'));
      const before = await session.judgeCall(state, { tool: 'charge' });
      const file = await toolOf('read_skill_file').execute({ skill: 'refunds', path: 'limits.md' }, { state, callId: '2' });
      const after = await session.judgeCall(session.apply(state, file.events), { tool: 'charge' });
      return [before.decision, file.error?.code, file.text.includes('1,000,000'), after.decision];
    };
    expect(await run()).toEqual(['allowed', 'skill-changed', false, 'denied']);
    expect(await run()).toEqual(['allowed', 'skill-changed', false, 'denied']);
    expect(list.map(({ id }) => id)).toEqual(['skills', 'call 1', 'call 2']);
  });

  it('PIN-2, FLW-5: what an earlier run loaded is compared once, in a step: a change or an outage opens nothing, and no replay asks again', async () => {
    const registry = new SkillRegistry({ skills: [refunds], trusted: true });
    const before = await createSkillset({ provider: registry }).open();
    const loaded = await before.load({ name: 'refunds' }, { state: emptySkillState });
    const state = before.apply(emptySkillState, loaded.events);
    let isDown = false;
    const provider: SkillProvider = {
      label: registry.label,
      listSkills: (options) => registry.listSkills(options),
      getSkill: (...given) => registry.getSkill(...given),
      readResource: (...given) => registry.readResource(...given),
      async contentOf(...given) {
        if (isDown) throw new SkillError('source-unavailable', 'The source is down.', { source: 'code' });
        return await registry.contentOf(...given);
      },
    };
    const judge = async (list: { id: string; text: string }[]): Promise<string> => {
      const durable = durableAgent(listEngine(list));
      const { session } = await durable.openSkills({ provider, gates: { tools: ['charge'] } });
      const [verdict] = await Promise.all([session.judgeCall(state, { tool: 'charge' }), session.judgeCall(state, { tool: 'charge' })]);
      return verdict.decision;
    };
    const recorded: { id: string; text: string }[] = [];
    expect(await judge(recorded)).toBe('allowed');
    expect(recorded.map(({ id }) => id)).toEqual(['skills', 'content refunds@']);
    isDown = true;
    expect(await judge([])).toBe('denied');
    isDown = false;
    registry.replace({ ...refunds, body: 'Charge at once.' });
    expect(await judge([])).toBe('denied');
    // The run that began before goes on with what it recorded.
    expect(await judge(recorded)).toBe('allowed');
  });

  it('FLW-5: a listing that changed since shows the recorded skills; a diagnostic is told once', async () => {
    const list: { id: string; text: string }[] = [];
    const told: SkillDiagnostic[] = [];
    const open = async (provider: SkillProvider) =>
      (
        await durableAgent(listEngine(list)).openSkills(
          { provider, gates: { tools: ['nobody'] }, onDiagnostic: (each) => void told.push(each) },
          { availableTools: ['nobody'] },
        )
      ).session;
    const first = await open(skills());
    const again = await open(new SkillRegistry());
    expect(again.instructions('Help.')).toBe(first.instructions('Help.'));
    expect(first.instructions('Help.')).toBe((await createSkillset({ provider: skills() }).open()).instructions('Help.'));
    const codes = told.map(({ code }) => code);
    expect(codes.length).toBeGreaterThan(0);
    expect(codes.slice(codes.length / 2)).toEqual(codes.slice(0, codes.length / 2));
    expect(new Set(codes.slice(codes.length / 2)).size).toBe(codes.length / 2);
  });

  it('FLW-5: loads of the host and commands of a person are steps; a text that is no command is none', async () => {
    const ids: string[] = [];
    const durable = durableAgent({ workflowId: 'w', runStep: async (id, work) => (ids.push(id), await work()) });
    const { session } = await durable.openSkills({ provider: skills() });
    expect(await session.invoke('Hello', { state: emptySkillState })).toBeNull();
    expect((await session.invoke('/refunds', { state: emptySkillState }))?.text).toContain('First charge.');
    expect((await session.load({ name: 'refunds' }, { state: emptySkillState }))?.text).toContain('First charge.');
    const failed = await session.tools[0]?.execute({ name: 'refund' }, { state: emptySkillState });
    expect(failed?.error).toMatchObject({ code: 'skill-not-found' });
    const fork = { skill: 'refunds', prompt: '<skill_content name="refunds">x</skill_content>' };
    expect(session.inFork(fork).beside.tools.map(({ name }) => name)).toContain('load_skill');
    expect(ids).toEqual(['skills', 'call command', 'call load refunds', 'call load_skill']);
  });
});

describe('durableAiSdk', () => {
  const plainTool = (execute: (...given: never[]) => unknown): ToolSet[string] =>
    dynamicTool({ description: 'x', inputSchema: jsonSchema({ type: 'object', properties: {} }), execute: execute as never });
  const script = [
    {
      toolCalls: [
        { toolName: 'slow', input: {} },
        { toolName: 'fast', input: {} },
      ],
    },
    { text: 'Done.' },
  ];

  it.each([generateText, streamText])(
    'FLW-5: %o: judged by something slow, steps keep the order of the calls, and a replay calls nothing',
    async (ask) => {
      const list: { id: string; text: string }[] = [];
      const called: string[] = [];
      const run = async (): Promise<string> => {
        const sdk = durableAiSdk(durableAgent(listEngine(list)));
        const model = scriptedModel(script);
        const inner = sdk.tools({
          slow: plainTool(async (_input: unknown, { toolCallId }: { toolCallId: string }) => (called.push(toolCallId), 'slow')),
          fast: plainTool(async function* () {
            yield 'half';
            yield 'fast';
          }),
        });
        // Stands where the gates stand: around the step.
        const judged: ToolSet[string]['execute'] = async (...given) => {
          await new Promise((resolve) => setImmediate(resolve));
          return (await inner.slow.execute?.(...(given as [never, never]))) as unknown;
        };
        const settings = sdk.settings({ model, tools: { ...inner, slow: { ...inner.slow, execute: judged } as ToolSet[string] } });
        const result = ask({ ...settings, prompt: 'Go.', stopWhen: isStepCount(5) });
        return await (
          await result
        ).text;
      };
      expect([await run(), await run()]).toEqual(['Done.', 'Done.']);
      expect(list.map(({ id }) => id)).toEqual(['model', expect.stringMatching(/^call /), expect.stringMatching(/^call /), 'model#2']);
      expect(list[2]?.text).toContain('"fast"');
      expect(called).toEqual([`w:${list[1]?.id.slice(5)}`]);
    },
  );

  it('FLW-5: a model that prepareStep chooses is durable too; a name is refused', async () => {
    const ids: string[] = [];
    const sdk = durableAiSdk(durableAgent({ workflowId: 'w', runStep: async (id, work) => (ids.push(id), await work()) }));
    const other = scriptedModel([{ text: 'Other.' }]);
    const settings = sdk.settings({ model: scriptedModel([]), prepareStep: async (_step: object) => ({ model: other as LanguageModel }) });
    expect((await generateText({ ...settings, prompt: 'Go.' })).text).toBe('Other.');
    expect(ids).toEqual(['model']);
    expect(() => sdk.model('openai/gpt')).toThrow('needs the model itself, and got the name "openai/gpt"');
  });

  it('FLW-5: a stream that fails in its middle fails the step, so nothing of it is recorded', async () => {
    const list: { id: string; text: string }[] = [];
    const model = scriptedModel([{ text: 'Half of it', error: new Error('Cut off.') }] as never);
    const settings = durableAiSdk(durableAgent(listEngine(list))).settings({ model });
    const errors: unknown[] = [];
    await streamText({ ...settings, prompt: 'Go.', onError: ({ error }) => void errors.push(error) }).consumeStream();
    expect(String(errors[0])).toContain('Cut off.');
    expect(list).toEqual([]);
  });

  it('FLW-5: a model that is asked elsewhere answers the same; it does not stream', async () => {
    const model = remoteAiSdkModel({
      ask: async (request) =>
        JSON.parse(JSON.stringify(await aiSdkAnswer(scriptedModel([{ text: 'Far.' }]), JSON.parse(JSON.stringify(request))))) as unknown,
    });
    const file = { type: 'file' as const, mediaType: 'image/png', data: new Uint8Array([1, 2, 255]) };
    expect((await generateText({ model, messages: [{ role: 'user', content: [file] }] })).text).toBe('Far.');
    await expect(async () => await model.doStream({ prompt: [] })).rejects.toThrow('does not stream');
  });
});

describe('records', () => {
  it('FLW-5: keep bytes, dates and addresses, and what looks like them', () => {
    fc.assert(
      fc.property(
        fc.anything({ withDate: false, withBigInt: false }),
        fc.uint8Array(),
        fc.date({ noInvalidDate: true }),
        (value, bytes, date) => {
          const plain: unknown = JSON.parse(JSON.stringify({ value, $bytes: 'no bytes', $date: 1, $$url: null }));
          const given = { plain, bytes, date, url: new URL('https://example.com/x') };
          const text = JSON.stringify(toRecord({ ...given, never: undefined }));
          expect(fromRecord(JSON.parse(text))).toEqual(given);
          expect(textOfBytes(bytes)).toBe(Buffer.from(bytes).toString('base64'));
          expect(bytesOfText(textOfBytes(bytes))).toEqual(new Uint8Array(bytes));
        },
      ),
      { seed: 7, numRuns: 200 },
    );
  });

  it('FLW-5: a date that is none is recorded as a value that is not there', () => {
    expect(fromRecord(JSON.parse(JSON.stringify(toRecord({ at: new Date(Number.NaN) }))))).toEqual({ at: null });
  });
});
