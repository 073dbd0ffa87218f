import type { SkillCatalog, SkillDiagnostic, Skillset, SkillState } from '@repertoire/skills-core';
import type { ReattachOptions } from '@repertoire/skills-core/state';
import type { ToolResultPart } from 'ai';
import type { AiSdkPreparedStep, AiSdkPrepareStep } from '../ai-sdk-skills-options.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { ToolRules } from '../tools/tool-rules.ts';
import { modelNamed, type AiSdkModels } from './model-named.ts';
import { placeInstructions } from './place-instructions.ts';
import { putBackDue, putBackLost } from './put-back-skills.ts';
import { withdrawUnloaded } from './withdraw-unloaded.ts';

/** What a `prepareStep` is made of. */
export interface PrepareStepOptions<Context> {
  readonly skillset: Skillset<Context>;
  readonly catalog: SkillCatalog<Context>;
  readonly state: ConversationState;
  readonly rules: ToolRules;
  /** Names of all tools of the call where locked ones are hidden; else `undefined`. */
  readonly shown: readonly string[] | undefined;
  readonly models: AiSdkModels | undefined;
  readonly reattach: Omit<ReattachOptions, 'names' | 'signal'> | false;
  readonly withdraw: boolean;
  readonly modelOutput: (text: string) => ToolResultPart['output'];
  readonly report: (diagnostic: SkillDiagnostic) => void;
}

/** Carries out, before each step, what the loaded skills mean for it. It changes nothing that need not change, so that prompt caches hold. */
export function prepareStepOf<Context>(options: PrepareStepOptions<Context>): AiSdkPrepareStep {
  const { skillset, catalog, state, withdraw, report } = options;
  const refreshes = hasRefreshPolicy(skillset, catalog);
  return async (step) => {
    let messages = withdraw ? withdrawUnloaded(step.messages, skillset) : step.messages;
    const room = options.reattach === false ? {} : options.reattach;
    const work = { skillset, catalog, state, options: room, modelOutput: options.modelOutput, report };
    if (options.reattach !== false) messages = await putBackLost(messages, work);
    if (refreshes) messages = await putBackDue(messages, work);

    const now = state.of(messages);
    const instructions = placeInstructions(step.instructions, await skillset.activeInstructions(catalog, now));
    const model = modelOf(options, now);
    const prepared: AiSdkPreparedStep = {
      ...(messages !== step.messages && { messages }),
      ...(instructions !== undefined && { instructions }),
      ...(model !== undefined && { model }),
      ...shownTools(options, now),
    };
    return Object.keys(prepared).length === 0 ? undefined : prepared;
  };
}

/** Whether any skill would ever be due. */
function hasRefreshPolicy<Context>(skillset: Skillset<Context>, catalog: SkillCatalog<Context>): boolean {
  const loaded = { digest: '', sequence: 1, inContext: true, at: 0 };
  const all = { loaded: Object.fromEntries(catalog.listed.map(({ name }) => [name, loaded])) };
  return skillset.dueForRefresh(catalog, all, Number.POSITIVE_INFINITY).length > 0;
}

function modelOf<Context>({ skillset, catalog, models, report }: PrepareStepOptions<Context>, now: SkillState): AiSdkPreparedStep['model'] {
  const name = models === undefined ? undefined : skillset.modelOverride(catalog, now);
  const model = modelNamed(models, name);
  if (name !== undefined && model === undefined) {
    report({
      severity: 'warning',
      code: 'unknown-model',
      message: `A loaded skill asks for the model ${JSON.stringify(name)}, which is not in \`models\`. The step runs on the model of the call.`,
      fix: 'Add it to `models` of aiSdkSkills, or give a function that knows it.',
    });
  }
  return model;
}

/** Open tools come at the end of the list, so that what stands before them stays the same to the byte. */
function shownTools<Context>(
  { shown, rules }: PrepareStepOptions<Context>,
  now: SkillState,
): Pick<AiSdkPreparedStep, 'activeTools' | 'toolOrder'> {
  const lockable = [...rules.lockable.keys()];
  if (shown === undefined || lockable.length === 0) return {};
  const always = shown.filter((name) => !rules.lockable.has(name));
  return {
    activeTools: [...always, ...lockable.filter((name) => rules.isOpen(name, now))] as never[],
    toolOrder: [...always, ...lockable] as never[],
  };
}
