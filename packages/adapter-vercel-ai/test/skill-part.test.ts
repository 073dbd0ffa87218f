import { createSkillset, emptySkillState } from '@repertoire/skills-core';
import { reduceSkillState } from '@repertoire/skills-core/adapter';
import { createUIMessageStream, isStepCount, readUIMessageStream, streamText, tool, toUIMessageStream, type UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { skillPartOf, skillsDataChunk, type SkillUIMessage } from '@repertoire/adapter-vercel-ai/ui';
import { refundTools, skills as definitions } from './billing-skills.ts';
import { modelOf } from './model-of.ts';

const skillset = createSkillset({ skills: definitions, surface: { names: { load: 'learn' } } });

describe('skillPartOf', () => {
  it('ADP-4: a page can show "Loaded skill: billing", under any name of the tool, and nothing of other parts', async () => {
    const skills = await aiSdkSkills(skillset, { tools: refundTools().tools });
    const turns = [
      [
        ['learn', { name: 'billing' }],
        ['learn', { name: 'biling' }],
        ['lookup_order', { id: '1' }],
      ] as const,
      [['read_skill_file', { skill: 'billing', path: 'references/policy.md' }]] as const,
      [['unload_skill', { name: 'billing' }]] as const,
      'Done.',
    ];
    const result = streamText({ model: modelOf(turns), prompt: 'Money!', stopWhen: isStepCount(9), ...skills.agentSettings() });
    let shown: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream: toUIMessageStream({ stream: result.stream }) })) shown = message;
    expect(shown!.parts.flatMap((part) => skillPartOf(part)?.label ?? [])).toEqual([
      'Loaded skill: billing',
      'Loading skill: biling (failed)',
      'Read: billing/references/policy.md',
      'Ended skill: billing',
    ]);
  });

  it('ADP-4 GOV-1: a refusal of a gate is told with the skill that was missing; what the tool itself says is not', async () => {
    const process_refund = tool({
      inputSchema: z.object({ amount: z.number() }),
      execute: async (): Promise<number> => {
        throw new Error('The bank is closed.');
      },
    });
    const skills = await aiSdkSkills(skillset, { tools: { process_refund } });
    const refund = [['process_refund', { amount: 1 }]] as const;
    const model = modelOf([refund, [['learn', { name: 'billing' }]], refund, 'Done.']);
    const result = streamText({ model, prompt: 'Money!', stopWhen: isStepCount(9), ...skills.agentSettings() });
    const stream = toUIMessageStream({ stream: result.stream, tools: skills.tools, onError: (error) => (error as Error).message });
    let shown: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream })) shown = message;
    const told = shown!.parts.flatMap((part) => skillPartOf(part) ?? []);
    expect(told.map(({ role, skill, state, label }) => [role, skill, state, label])).toEqual([
      ['gated', 'billing', 'refused', 'Refused process_refund: it needs the skill billing'],
      ['load', 'billing', 'done', 'Loaded skill: billing'],
    ]);
  });

  it('ADP-4 GOV-1: a call that a gate denied before it ran is told in the same way, and one that a person denied is not', () => {
    const denied = (reason: string | undefined) =>
      skillPartOf({
        type: 'tool-process_refund',
        toolCallId: 'c',
        state: 'output-denied',
        input: {},
        toolMetadata: { repertoire: { openedBy: ['billing'] } },
        approval: { id: '1', approved: false, ...(reason !== undefined && { reason }) },
      });
    expect(denied('The tool process_refund is locked until the skill "billing" is loaded.')?.label).toBe(
      'Refused process_refund: it needs the skill billing',
    );
    expect([denied('Too much.'), denied(undefined)]).toEqual([null, null]);
  });

  it.each([
    [{ state: 'input-streaming', input: undefined }, 'Loading skill …'],
    [{ state: 'input-available' }, 'Loading skill: billing …'],
    [{ state: 'approval-requested', approval: { id: '1' } }, 'Loading skill: billing (waiting for approval)'],
    [{ state: 'output-denied', approval: { id: '1', approved: false } }, 'Loading skill: billing (denied)'],
    [{ state: 'output-error', errorText: 'x' }, 'Loading skill: billing (failed)'],
    [{ state: 'output-available', output: 'so far', preliminary: true }, 'Loading skill: billing …'],
  ])('ADP-4: %j is told as %s', (part, label) => {
    const full = {
      type: 'dynamic-tool',
      toolName: 'learn',
      toolCallId: 'c',
      input: { name: 'billing' },
      toolMetadata: { repertoire: { role: 'load' } },
      ...part,
    };
    expect(skillPartOf(full as UIMessage['parts'][number])?.label).toBe(label);
  });

  it.each([
    ['search', { query: 'gaps in invoices' }, 'Searched skills: gaps in invoices'],
    ['runScript', { skill: 'billing', script: 'scripts/check.py' }, 'Ran: billing/scripts/check.py'],
  ])('ADP-4 DIS-14: a call of the role %s is told in words', (role, input, label) => {
    const part = {
      type: 'dynamic-tool',
      toolName: 'x',
      toolCallId: 'c',
      state: 'output-available',
      output: '',
      input,
      toolMetadata: { repertoire: { role } },
    };
    expect(skillPartOf(part as UIMessage['parts'][number])?.label).toBe(label);
  });

  it('ADP-4: metadata of others is nothing', () => {
    const part = (toolMetadata: unknown) =>
      skillPartOf({
        type: 'dynamic-tool',
        toolName: 'x',
        toolCallId: 'c',
        state: 'input-available',
        input: {},
        toolMetadata,
      } as UIMessage['parts'][number]);
    expect([part(undefined), part({}), part({ repertoire: { role: 'constructor' } }), part({ repertoire: 'load' })]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(skillPartOf({ type: 'text', text: 'Loaded skill: billing' })).toBeNull();
  });
});

describe('skillsDataChunk', () => {
  it('ADP-4: a typed data part tells which skills are loaded', async () => {
    const state = ['b', 'a'].reduce(
      (before, name) => reduceSkillState(before, { type: 'loaded', name, revision: '1', texts: ['1'], version: '2' }),
      emptySkillState,
    );
    const stream = createUIMessageStream<SkillUIMessage>({
      execute({ writer }) {
        writer.write(skillsDataChunk(emptySkillState));
        writer.write(skillsDataChunk(state));
      },
    });
    let shown: SkillUIMessage | undefined;
    for await (const message of readUIMessageStream<SkillUIMessage>({ stream })) shown = message;
    const loaded = shown!.parts.flatMap((part) => (part.type === 'data-skills' ? [part.data.loaded.map(({ name }) => name)] : []));
    expect(loaded).toEqual([['b', 'a']]);
  });
});
