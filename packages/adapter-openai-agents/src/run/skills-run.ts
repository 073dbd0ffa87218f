import type { AgentInputItem, RunContext } from '@openai/agents-core';
import { emptySkillState, type SkillEvent, type SkillSession, type SkillState } from '@repertoire/skills-core';
import {
  recordSkillEvents,
  type SkillStateBox,
  type SkillTranscriptEntry,
  entriesOfTurns,
  lengthOfTurns,
} from '@repertoire/skills-core/adapter';
import { hashText } from '@repertoire/skills-core/internal';
import { turnsOfItems } from '../items/turns-of-items.ts';

interface Run {
  /** The finished tool calls of the conversation. */
  entries: readonly SkillTranscriptEntry[];
  /** Length of the last model input, in tokens. */
  length: number | undefined;
  /** What the model sees in the current step. */
  items: readonly AgentInputItem[];
  /** The state at the start of the current step. All calls of the step are judged by it. */
  step: SkillState;
}

/** The runs of one agent by context. Sub-agents may share a context, so each has its own. */
export interface SkillsRuns<TContext> {
  /** A run begins or continues. `items` is everything that the model will see. */
  begin(context: RunContext<TContext>, items: readonly AgentInputItem[]): void;
  /** The model is about to be called, with these items if they are known. */
  beginStep(context: RunContext<TContext>, session: SkillSession, items?: readonly AgentInputItem[]): SkillState;
  /** What is loaded now. */
  state(context: RunContext<TContext>, session: SkillSession): SkillState;
  /** What was loaded at the start of the current step. */
  atStep(context: RunContext<TContext>): SkillState;
  lengthOf(context: RunContext<TContext>): number | undefined;
  /** Tells calls of one id in a conversation apart, by what was said before. */
  idOf(context: RunContext<TContext>): string;
  /** The run with this context, if there is only one. */
  runWith(context: unknown): RunContext<TContext> | undefined;
  end(context: RunContext<TContext>): void;
  /** Records a finished skill tool call. */
  record(context: RunContext<TContext>, session: SkillSession, entry: SkillTranscriptEntry, events: readonly SkillEvent[]): Promise<void>;
}

/** @param boxOf the saved state; if `undefined`, it is derived from the items */
export function skillsRuns<TContext>(boxOf: (context: TContext) => SkillStateBox | undefined): SkillsRuns<TContext> {
  const runs = new WeakMap<RunContext<TContext>, Run>();
  const byContext = new WeakMap<object, RunContext<TContext> | 'several'>();
  const note = (run: RunContext<TContext>): void => {
    const given: unknown = run.context;
    if (typeof given !== 'object' || given === null) return;
    const known = byContext.get(given);
    byContext.set(given, known === undefined || known === run ? run : 'several');
  };
  const runOf = (context: RunContext<TContext>): Run => {
    const known = runs.get(context);
    if (known !== undefined) return known;
    const run: Run = { entries: [], length: undefined, items: [], step: emptySkillState };
    runs.set(context, run);
    return run;
  };
  const state = (context: RunContext<TContext>, session: SkillSession): SkillState =>
    session.state(runOf(context).entries, boxOf(context.context)?.current);

  return {
    begin(context, items) {
      note(context);
      const run = runOf(context);
      run.entries = entriesOfTurns(turnsOfItems(items));
      run.items = [...items];
    },
    beginStep(context, session, items) {
      const run = runOf(context);
      if (items !== undefined) {
        const turns = turnsOfItems(items, session);
        run.entries = entriesOfTurns(turns);
        run.length = lengthOfTurns(turns);
        run.items = [...items];
      }
      run.step = state(context, session);
      return run.step;
    },
    state,
    atStep: (context) => runOf(context).step,
    lengthOf: (context) => runOf(context).length,
    idOf: (context) => hashText(JSON.stringify(runOf(context).items)),
    runWith(context) {
      const run = typeof context === 'object' && context !== null ? byContext.get(context) : undefined;
      return run === 'several' ? undefined : run;
    },
    end(context) {
      const given: unknown = context.context;
      if (typeof given === 'object' && given !== null && byContext.get(given) === context) byContext.delete(given);
    },
    async record(context, session, entry, events) {
      const run = runOf(context);
      run.entries = [...run.entries, entry];
      await recordSkillEvents(boxOf(context.context), events, session.apply);
    },
  };
}
