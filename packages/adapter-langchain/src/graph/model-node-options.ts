import type { OptionRules } from '@repertoire/skills-core/internal';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SkillsState } from './skills-graph-state.ts';

/** Options of {@link LangGraphSkills.bindLoadedTools}. */
export interface BindLoadedToolsOptions {
  /**
   * Tools of this node. Gated ones are shown like those of the option `tools` of {@link
   * langGraphSkills}.
   * @default none
   */
  readonly tools?: readonly StructuredToolInterface[] | undefined;
  /**
   * Which tools are bound. `all`: the skill tools, `tools`, and those that loaded skills bring.
   * `loaded`: only gated tools that loaded skills open, those that they bring, and `tools`.
   * `load-and-unload`: only the tools that load and unload skills, and `tools`.
   * @default 'all'
   */
  readonly bind?: 'all' | 'loaded' | 'load-and-unload' | undefined;
  readonly config?: RunnableConfig | undefined;
}

const shared: OptionRules<Omit<BindLoadedToolsOptions, 'config'>> = {
  tools: '[]',
  bind: { all: true, loaded: true, 'load-and-unload': true },
};
export const bindLoadedToolsRules: OptionRules<BindLoadedToolsOptions> = { ...shared, config: '{}' };
export const modelNodeRules: OptionRules<ModelNodeOptions> = { ...shared, base: { string: true, '()': true } };

/** Options of {@link LangGraphSkills.modelNode}. */
export interface ModelNodeOptions<State extends SkillsState = SkillsState> extends Omit<BindLoadedToolsOptions, 'config'> {
  /** The system prompt before the catalog. @default none */
  readonly base?: string | ((state: State) => string | Promise<string>) | undefined;
}
