import type { SkillCatalogOptions } from '../catalog/build-catalog.ts';
import type { SkillSurfaceMode } from '../catalog/surface.ts';
import type { SkillDefinition } from '../contract/define-skill.ts';
import type { SkillDiagnostic, SkillProvider } from '../contract/skill-provider.ts';
import type { SkillActivityListener } from '../events/skill-activity.ts';
import type { AudienceOptions } from '../policy/audience.ts';
import type { SkillAllowedTools } from '../policy/allowed-tools/skill-allowed-tools.ts';
import type { GatedTools } from '../policy/gates.ts';
import type { MissingToolsPolicy } from '../policy/missing-tools.ts';
import type { resolveSkillToolNames } from '../prompt/tool-names.ts';
import type { VersionResolver } from '../providers/versions/version-resolver.ts';
import type { SkillRefreshPolicy } from '../state/refresh.ts';
import type { SkillActivation } from '../state/skill-state.ts';
import type { SkillApprovals } from '../tools/approvals/skill-approvals.ts';
import type { SkillContentStore } from '../tools/pinned/remembered-contents.ts';
import type { SkillDiscovery, SkillHooks, SkillProposals, SkillReadLimits, SkillScripts, SkillWorkflows } from '../tools/tool-host.ts';
import type { SkillToolSurface } from '../tools/skill-tools.ts';
import type { SkillCatalogStore } from './session-catalog.ts';

/** Which tools are closed, and what opens them. */
interface GateGroup {
  /**
   * Tools of the host that are closed until a loaded skill opens them: names, with `*` for any
   * characters. Only a loaded, trusted, selected and permitted skill that names the tool opens it.
   * No outage, no change of the listing and no client input does.
   *
   * Skills that the host writes in code close the tools that they name, declared or not. A skill
   * file closes nothing by itself. `'named'` closes every tool that a trusted, listed skill names;
   * it depends on the listing, so prefer names. `[]` says that the tools which files name are open
   * on purpose, and nothing is reported of them.
   * @default none of the host's tools; those that files name are reported (`tool-not-gated`)
   */
  readonly tools?: GatedTools | undefined;
  /**
   * What to do with a skill whose `tools` this session lacks; needs `availableTools` of `open()`.
   * @default 'show'
   */
  readonly missing?: MissingToolsPolicy | undefined;
  /**
   * How long, in milliseconds, a source may serve its last good copy before its skills open,
   * pre-approve and choose nothing any more. Their instructions and files are still served.
   * @default 3600000, an hour
   */
  readonly maxListingAgeMs?: number | undefined;
}

/** What of the skills a model is given, and where. */
interface SurfaceGroup {
  /**
   * Where skills are listed, if a skill does not say: in the system prompt, in the description of
   * the load tool, in both, or as the `model` does best.
   * @default 'system-prompt'
   */
  readonly mode?: SkillSurfaceMode | undefined;
  /** The model that `mode: 'auto'` is resolved for. @default unknown */
  readonly model?: { readonly provider?: string | undefined; readonly model?: string | undefined } | undefined;
  /**
   * Where the instructions of a loaded skill stand: in the result of the load tool, or where its
   * line stands. With `with-catalog`, each load rewrites the system prompt and costs the prompt
   * cache; give the model `session.activeInstructions(…)` after `instructions` then.
   * @default 'tool-result'
   */
  readonly instructions?: 'tool-result' | 'with-catalog' | undefined;
  /** Which skill tools the model gets. @default 'progressive' */
  readonly tools?: SkillToolSurface | undefined;
  /**
   * Other names for the skill tools, or a known set of names. @default `load_skill`,
   * `read_skill_file`, …
   */
  readonly names?: Parameters<typeof resolveSkillToolNames>[0] | undefined;
  /**
   * Whether `unload_skill` is among them. @default `true` if a skill has an effect that can be
   * ended: tools, a model, allowed tools
   */
  readonly unload?: boolean | undefined;
}

/** What holds in a conversation while it goes on, and while skills change. */
interface ConversationGroup {
  /**
   * How many skills are active at once: loading one leaves the others loaded, or ends them.
   * @default 'cumulative'
   */
  readonly activation?: SkillActivation | undefined;
  /** Repeats instructions that were given long ago. @default never */
  readonly refresh?: SkillRefreshPolicy | undefined;
  /**
   * Where texts of catalogs are kept: if the catalog is another one than the conversation began
   * with (`open({ kept })`), its text is used on, while trust, tools and instructions are the
   * current ones. Only the host may write to it.
   * @default none: the new catalog is used
   */
  readonly catalogStore?: SkillCatalogStore | undefined;
  /**
   * What happens when the content of a loaded skill changed. `close`: it opens nothing until the
   * model loads it again. `renew`: for trusted sources, the host loads the new content by itself
   * before the next model call, at the end of the messages, up to three times for a skill in a
   * conversation. In both cases no gate stays open on a text that the conversation has not been
   * given.
   * @default 'close'
   */
  readonly contentChange?: 'close' | 'renew' | undefined;
  /**
   * A store of what conversations loaded, for restarts and replicas: with it, instructions can be
   * restored after their source moved on, and events name the files that changed. Only the host may
   * write to it.
   * @default 64 skills, up to 4 MiB, in memory
   */
  readonly contentStore?: SkillContentStore | undefined;
}

/** Options of `createSkillset`. `Context` is what the host passes for each request. */
export interface SkillsetOptions<Context = undefined> {
  /** Where the skills come from. */
  readonly provider?: SkillProvider | undefined;
  /**
   * Skills in code. What `defineSkill` refuses of a name or a description is refused here too,
   * since these are the host's own; for definitions of others use
   * `provider: new SkillRegistry({ skills })`.
   */
  readonly skills?: readonly SkillDefinition[] | undefined;

  /**
   * Which skills and tools are there for a request, and who may load and read. @default everything
   * for everyone
   */
  readonly audience?: AudienceOptions<Context> | undefined;
  /** Which tools are closed until a skill opens them. @default those that skills in code name */
  readonly gates?: GateGroup | undefined;
  /**
   * What `allowed-tools` of skills mean: `skillAllowedTools({ policy })` of
   * `@repertoire/skills-core`.
   * @default nothing
   */
  readonly allowedTools?: SkillAllowedTools | undefined;
  /**
   * Asks a person before an untrusted skill is loaded and has an effect, for this content and no
   * other: `skillApprovals({ … })` of `@repertoire/skills-core`.
   * @default nobody is asked: untrusted skills are read and have no effect
   */
  readonly approvals?: SkillApprovals<Context> | undefined;
  /**
   * What the host changes or refuses before and after a load, an unload and the reading of a file:
   * `skillHooks({ … })` of `@repertoire/skills-core`.
   * @default nothing
   */
  readonly hooks?: SkillHooks<Context> | undefined;

  /**
   * How the catalog is written, and its budget. @default XML with plain guidance in at most 8,000
   * tokens
   */
  readonly catalog?: SkillCatalogOptions | undefined;
  /**
   * Which tools and texts a model is given, and where. @default the catalog in the system prompt,
   * instructions as tool results
   */
  readonly surface?: SurfaceGroup | undefined;
  /** How loaded skills live on in a conversation, and what a change does. */
  readonly conversation?: ConversationGroup | undefined;
  /**
   * How much of a skill's files may be read. @default 4 MiB of a file, 20,000 characters an answer
   */
  readonly limits?: Partial<SkillReadLimits> | undefined;

  /**
   * Lets the model search for skills, for libraries that are too large for a catalog:
   * `skillDiscovery(search)` of `@repertoire/skills-core`.
   * @default no search
   */
  readonly discovery?: SkillDiscovery | undefined;
  /**
   * What runs the scripts of trusted skills: `skillScripts(runner)` of
   * `@repertoire/skill-runner/scripts`. Or one sentence that tells the model how a tool of the host
   * runs them.
   * @default nothing runs; the model is told that scripts can be read
   */
  readonly scripts?: SkillScripts | string | undefined;
  /**
   * What runs the steps of trusted workflow skills: `skillWorkflows({ tools })` of
   * `@repertoire/skill-workflow`.
   * @default nothing runs them
   */
  readonly workflows?: SkillWorkflows | undefined;
  /**
   * Lets the model propose new skills and changes: `skillProposals({ store })` of
   * `@repertoire/skill-proposals`. What is proposed changes nothing until a person accepts it.
   * @default the model proposes nothing
   */
  readonly proposals?: SkillProposals<Context> | undefined;
  /**
   * Reads the version that `load_skill` is asked for. Pass `resolveVersion` of
   * `@repertoire/skills-core/versions` for ranges such as `^1.2`.
   * @default an exact version, or `*` for the newest
   */
  readonly resolveVersion?: VersionResolver | undefined;
  /**
   * Counts the tokens of a text. @default an estimate, right within some 10–20 % for English and
   * code
   */
  readonly countTokens?: ((text: string) => number) | undefined;

  /** Called for each activity. What it throws is ignored. */
  readonly onEvent?: SkillActivityListener | undefined;
  /**
   * Called for each diagnostic, once: a source that is down, a gate that nothing opens, an empty
   * catalog. What it throws is ignored. `'silent'` turns diagnostics off.
   * @default warnings and errors are printed with `console.warn`, each once, unless an adapter or a
   *   session has a listener of its own
   */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | 'silent' | undefined;
}
