import type { StructuredToolInterface } from '@langchain/core/tools';
import { isGraphBubbleUp } from '@langchain/langgraph';
import type { SkillState } from '@repertoire/skills-core';
import { assertNoReservedToolNames, type SkillStateBox } from '@repertoire/skills-core/adapter';
import { gateTool, type RefuseCall } from '../tools/gate-tool.ts';
import { refuseCall } from '../tools/refuse-call.ts';
import { toLangChainTool } from '../tools/to-langchain-tool.ts';
import type { SkillsBinding } from './bind-skills.ts';
import type { SkillsRun } from './skills-run.ts';

/** A binding and the tools that it has from the start. */
export interface BoundTools<Context> {
  readonly binding: SkillsBinding<Context>;
  readonly skillTools: readonly StructuredToolInterface[];
  /** The host's tools, which refuse while they are closed. */
  readonly hostTools: readonly StructuredToolInterface[];
  readonly refuse: RefuseCall;
}

/** @param outside what is loaded outside of a graph, and `box`, which keeps it. @default nothing */
export function boundTools<Context>(binding: SkillsBinding<Context>, outside?: () => SkillState, box?: SkillStateBox): BoundTools<Context> {
  const refuse = refuseCall(binding, outside);
  return {
    binding,
    skillTools: binding.skillset.toolDescriptions.map((description) => toLangChainTool(description, binding, box)),
    hostTools: binding.hostTools.map((tool) => gateTool(tool, refuse)),
    refuse,
  };
}

/**
 * A tool that an agent or a node was given beside ours.
 *
 * @throws {SkillError} `reserved-tool-name` if it has the name of a skill tool and is none
 */
export function assertNoOtherSkillTools<Context>(
  { binding, skillTools }: Pick<BoundTools<Context>, 'binding' | 'skillTools'>,
  tools: readonly { readonly name?: unknown }[],
): void {
  const ours: readonly unknown[] = skillTools;
  const others = tools.filter((tool) => !ours.includes(tool)).map(({ name }) => String(name));
  assertNoReservedToolNames(others, binding.skillset.toolNames);
}

/** A failed run has no end node, so connections are closed here. A retry opens them again. */
export async function closingIfFailed<Context, Result>(
  { close }: SkillsBinding<Context>,
  state: unknown,
  run: SkillsRun,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isGraphBubbleUp(error)) await close(state, run);
    throw error;
  }
}
