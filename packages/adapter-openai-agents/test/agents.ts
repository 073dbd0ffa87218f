import { setTracingDisabled, tool } from '@openai/agents-core';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { createSkillset, defineSkill, type SkillsetOptions } from '@repertoire/skills-core';
import { z } from 'zod';

setTracingDisabled(true);

/** One call of a tool in a script. */
export type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

/** A model that says or calls this, one step after the other. */
export function scripted(...steps: readonly (string | readonly Call[])[]): ScriptedModel {
  return new ScriptedModel(
    steps.map((step, count) =>
      typeof step === 'string'
        ? [assistantMessage(step)]
        : step.map(([name, input], index) => functionCall(name, input, { callId: `${name}-${count}-${index}` })),
    ),
  );
}

/** A skill that opens a tool, one that asks for a model, one that wants an agent of its own. */
export const skills = [
  defineSkill({
    name: 'billing',
    description: 'Refunds and invoices. Use when a customer asks about money.',
    body: 'Confirm the order, then call process_refund.',
    tools: ['process_refund'],
  }),
  defineSkill({ name: 'legal', description: 'Reads contracts. Use for legal questions.', body: 'Read it twice.', model: 'big' }),
  defineSkill({ name: 'audit', description: 'Audits a folder.', body: 'Audit $ARGUMENTS.', context: 'fork' }),
];

export const skillsetOf = (options: Partial<SkillsetOptions> = {}) => createSkillset({ skills, ...options });

/** Counts what really ran, which is what a gate is about. */
export function refundTool(needsApproval: boolean = false) {
  const ran: number[] = [];
  const process_refund = tool({
    name: 'process_refund',
    description: 'Pays money back.',
    parameters: z.object({ amount: z.number() }),
    needsApproval,
    execute: ({ amount }) => {
      ran.push(amount);
      return `refunded ${amount}`;
    },
  });
  return { ran, process_refund };
}

/** Texts of the results of a tool in the items of a run, oldest first. */
export function resultsOf(items: readonly object[], name: string): string[] {
  return items.flatMap((item) => {
    const { type, name: of, output } = item as { type?: string; name?: string; output?: string | { text?: string } };
    if (type !== 'function_call_result' || of !== name) return [];
    return [typeof output === 'string' ? output : (output?.text ?? '')];
  });
}
