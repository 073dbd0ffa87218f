import type { CatalogRequest, SkillCatalog, SkillState } from '@repertoire/skills-core';
import type { ModelMessage, ToolSet } from 'ai';

/** Options of {@link aiSdkSkills}. */
export interface AiSdkSkillsOptions<TOOLS extends ToolSet = {}, Context = undefined> extends Pick<
  CatalogRequest<Context>,
  'context' | 'signal'
> {
  /** Tools of the host that skills name in `tools`. One that no skill names is left as it is. @default none */
  readonly tools?: TOOLS | undefined;
  /**
   * A catalogue that was read before, so that a conversation of many requests sees one and the same.
   * @default read now
   */
  readonly catalog?: SkillCatalog<Context> | undefined;
  /**
   * Hides locked tools from the model, besides refusing their calls. It saves their tokens while they are locked, and costs the cached prompt each time one
   * opens, because the list of tools stands before everything else.
   *
   * The SDK can only be told what to show, so name in `otherTools` every tool that the call has beside `skills.tools`; one that is missing there is hidden
   * too. {@link AiSdkSkills.agentSettings} adds its own tools by itself.
   * @default locked tools are shown, and refuse
   */
  readonly hideLockedTools?: { readonly otherTools: readonly string[] } | undefined;
  /**
   * What this conversation has loaded, kept by the server: messages that come from a browser can be forged, this cannot. Skills that are loaded are written to
   * `current`, so make one for each conversation and do not share it. Messages then only tell whether a skill's text still stands in the context. A tool may
   * then open in the very step that loads its skill, where the calls of a step run one after the other (`toolCallConcurrency: 1`).
   * @default derived from the messages of each call, which must be trusted
   */
  readonly state?: { current: SkillState } | undefined;
}

/** Options of {@link AiSdkSkills.agentSettings}. */
export interface AiSdkAgentSettingsOptions<OTHER extends ToolSet = {}> {
  /** The system prompt before the catalogue. @default none */
  readonly instructions?: string | undefined;
  /** The agent's other tools. @default none */
  readonly tools?: OTHER | undefined;
}

/**
 * What a {@link AiSdkPrepareStep} changes of a step: names of tools. Each call wants them to be names of its own tools, which only the call knows; `never` fits
 * them all.
 */
export interface AiSdkPreparedStep {
  /** The tools that the model may see. */
  readonly activeTools: never[];
  /** The order of the tools; the same in each step. */
  readonly toolOrder: never[];
}

/** A `prepareStep` that fits every call. It answers at once, with `undefined` where there is nothing to change. */
export type AiSdkPrepareStep = (step: { readonly messages: readonly ModelMessage[] }) => AiSdkPreparedStep | undefined;

/** What {@link AiSdkSkills.agentSettings} returns: spread it into an agent or a call. */
export interface AiSdkAgentSettings<TOOLS extends ToolSet> {
  readonly instructions: string;
  readonly tools: TOOLS;
  readonly prepareStep: AiSdkPrepareStep;
}

/** Skills in the shapes of the AI SDK: plain objects to spread and functions to pass. */
export interface AiSdkSkills<TOOLS extends ToolSet = {}, Context = undefined> {
  /** What the agent knows of its skills. Keep it, to give it to the next request of the same conversation. */
  readonly catalog: SkillCatalog<Context>;
  /**
   * The skill tools, then the host's `tools`, which refuse while they are locked. The type tells of the host's only: calls of the skill tools are dynamic ones.
   * Without any skill there are no skill tools.
   */
  readonly tools: TOOLS;
  /** The system prompt with the catalogue at its end. The same base gives the same bytes. @default no base */
  instructions(base?: string): string;
  /**
   * Hides locked tools, where `hideLockedTools` asks for it; else it leaves every step as it is. Call it from a `prepareStep` of your own to have both:
   * `prepareStep: (step) => ({ ...skills.prepareStep(step), temperature: 0 })`.
   */
  readonly prepareStep: AiSdkPrepareStep;
  /** What a conversation has loaded. */
  state(messages: readonly ModelMessage[]): SkillState;
  /**
   * All three at once, with the agent's other tools. An agent stops after 20 steps by default; `generateText` and `streamText` after one, so give them a
   * `stopWhen`.
   *
   * @throws {SkillError} `reserved-tool-name`; `invalid-options` for a tool that is in `tools` of {@link aiSdkSkills} too
   */
  agentSettings<OTHER extends ToolSet = {}>(options?: AiSdkAgentSettingsOptions<OTHER>): AiSdkAgentSettings<TOOLS & NoInfer<OTHER>>;
}
