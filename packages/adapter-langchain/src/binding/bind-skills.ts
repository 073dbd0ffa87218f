import type { BaseMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import {
  createSkillset,
  SkillError,
  type SkillCallVerdict,
  type SkillDiagnostic,
  type SkillProvider,
  type SkillSession,
  type Skillset,
  type SkillState,
} from '@repertoire/skills-core';
import { assertNoReservedToolNames, diagnosticReporter } from '@repertoire/skills-core/policy';
import { turnsOfMessages } from '../messages/turns-of-messages.ts';
import { withPutBack } from '../messages/with-put-back.ts';
import { readGraphState, type GraphState } from '../state/graph-state.ts';
import { channelsOf, type SkillsChannels } from '../state/skills-state.ts';
import { broughtTools, type BroughtTools } from './brought-tools.ts';
import type { SkillsOptions } from './skills-options.ts';
import type { SkillsRun } from './skills-run.ts';

/** A skillset and how a graph uses it; it keeps nothing of any conversation. */
export interface SkillsBinding<Context> {
  readonly skillset: Skillset<Context>;
  readonly options: SkillsOptions<Context>;
  readonly channels: SkillsChannels;
  readonly hostTools: readonly StructuredToolInterface[];
  readonly brought: BroughtTools;
  read(state: unknown): GraphState;
  /**
   * Opens the session of a run. What a state keeps of it is a digest that grants nothing; everything else comes from the source.
   *
   * @throws {SkillError} what the provider rejects with
   */
  open(state: unknown, run: SkillsRun): Promise<SkillSession>;
  /** What is loaded, and what of it still stands in the messages. */
  stateOf(session: SkillSession, state: unknown, messages?: readonly BaseMessage[]): SkillState;
  /** The messages as the model reads them: with the instructions that are put back. */
  shown(session: SkillSession, state: unknown, run: SkillsRun, messages?: readonly BaseMessage[]): Promise<readonly BaseMessage[]>;
  /** Judges a call of a tool of the host. If the skills cannot be read now, gated tools stay closed. */
  judge(call: { readonly tool: string; readonly input: unknown }, state: unknown, run: SkillsRun): Promise<SkillCallVerdict>;
  report(diagnostic: SkillDiagnostic): void;
}

/** @throws {SkillError} `reserved-tool-name` for a host's tool with the name of a skill tool */
export function bindSkills<Context>(source: Skillset<Context> | SkillProvider, options: SkillsOptions<Context>): SkillsBinding<Context> {
  const skillset = skillsetOf(source);
  const hostTools = options.tools ?? [];
  const names = [...hostTools.map(({ name }) => name), ...(options.otherTools ?? [])];
  assertNoReservedToolNames(names, skillset.toolNames);
  const channels = channelsOf(options.namespace);
  const own = diagnosticReporter(options.onDiagnostic);
  const report = (diagnostic: SkillDiagnostic): void => {
    skillset.report(diagnostic);
    own(diagnostic);
  };
  const read = (state: unknown): GraphState => readGraphState(state, channels);

  async function open(state: unknown, run: SkillsRun): Promise<SkillSession> {
    const context = (await options.context?.(run)) as Context;
    const onDiagnostic = options.onDiagnostic === undefined ? undefined : own;
    return await skillset.open({ context, availableTools: names, kept: read(state).kept, signal: run.signal, onDiagnostic });
  }

  function stateOf(session: SkillSession, state: unknown, messages?: readonly BaseMessage[]): SkillState {
    const { loaded, messages: all } = read(state);
    const turns = turnsOfMessages(messages ?? all, (text) => session.lengthOf(text));
    return session.state(
      turns.flatMap(({ entries }) => entries),
      loaded,
    );
  }

  return {
    skillset,
    options,
    channels,
    hostTools,
    brought: broughtTools(options.toolSources ?? [], [...Object.values(skillset.toolNames), ...names], report),
    read,
    open,
    stateOf,
    async shown(session, state, run, messages) {
      const { loaded, messages: all } = read(state);
      const { load: loadTool } = skillset.toolNames;
      if (options.reattach === false && !session.refreshes) return messages ?? all;
      const room = options.reattach === false ? { lost: false } : (options.reattach ?? {});
      return withPutBack(messages ?? all, { session, kept: loaded, loadTool, room, signal: run.signal });
    },
    async judge(call, state, run) {
      const { loaded } = read(state);
      try {
        return await (await open(state, run)).judgeCall(loaded, call);
      } catch (error) {
        run.signal?.throwIfAborted();
        return skillset.judgeCallOffline(loaded, call.tool, error);
      }
    },
    report,
  };
}

function skillsetOf<Context>(source: Skillset<Context> | SkillProvider): Skillset<Context> {
  if ('open' in source && typeof source.open === 'function') return source;
  if ('listSkills' in source) return createSkillset<Context>({ provider: source });
  throw new SkillError('invalid-options', 'Give a skillset (createSkillset) or a provider as the first argument.');
}
