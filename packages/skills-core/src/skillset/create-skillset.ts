import { estimateTokenCount } from 'tokenx';
import { renderCatalog, type RenderCatalogOptions } from '../catalog/render-catalog.ts';
import type { SkillCatalog } from '../catalog/skill-catalog.ts';
import type { SkillCallOptions, SkillMetadata, SkillProvider } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { inCodeSkillProvider } from '../providers/in-code-skill-provider.ts';
import type { SkillDefinition } from '../skill/define-skill.ts';
import type { SkillState } from '../state/skill-state.ts';
import { skillToolAccess, type SkillToolAccess } from '../state/tool-access.ts';
import { skillStateFromTranscript, type SkillTranscriptEntry } from '../state/transcript.ts';
import { loadSkillTool } from '../tools/load-skill.ts';
import { defaultReadFileLimits, readSkillFileTool, type ReadFileLimits } from '../tools/read-skill-file.ts';
import type { SkillTool } from '../tools/skill-tool.ts';
import { resolveSkillToolNames, type SkillToolNames } from '../tools/tool-names.ts';

/** Options of {@link createSkillset}. One of `provider` and `skills` is needed. */
export interface SkillsetOptions {
  /** Where the skills come from. */
  readonly provider?: SkillProvider | undefined;
  /** Skills in code; short for `provider: inCodeSkillProvider(skills)`. */
  readonly skills?: readonly SkillDefinition[] | undefined;
  /** How the catalogue is written. @default XML with plain guidance */
  readonly catalog?: RenderCatalogOptions | undefined;
  /** Other names for the skill tools. @default `load_skill`, `read_skill_file`, `unload_skill` */
  readonly toolNames?: Partial<SkillToolNames> | undefined;
  /** How much of a skill's files may be read. @default 4 MiB of a file, 20,000 characters an answer */
  readonly limits?: Partial<ReadFileLimits> | undefined;
}

/** A provider and a policy: the one object that a host holds, for all conversations. It keeps nothing of any of them. */
export interface Skillset {
  readonly provider: SkillProvider;
  readonly toolNames: SkillToolNames;
  /**
   * Reads what the agent may know: once a conversation, or once a request where the server remembers nothing.
   *
   * @throws {SkillError} what the provider rejects with, where it cannot answer at all
   */
  catalog(options?: SkillCallOptions): Promise<SkillCatalog>;
  /** The tools that go with a catalogue; none where it is empty. */
  tools(catalog: SkillCatalog): readonly SkillTool[];
  /** The system prompt with the catalogue at its end. The same base and catalogue give the same bytes. */
  instructions(catalog: SkillCatalog, base?: string): string;
  /** The state of a conversation, from its finished tool calls, oldest first. */
  state(transcript: readonly SkillTranscriptEntry[]): SkillState;
  /** Whether a tool of the host may be called now. */
  toolAccess(catalog: SkillCatalog, state: SkillState, tool: string): SkillToolAccess;
}

/**
 * Binds a source of skills to the rules by which an agent uses them. Adapters take it as it is.
 *
 * @throws {SkillError} `invalid-options` without a source, with two, or with tool names that cannot be used
 * @example
 * ```ts
 * import { createSkillset, defineSkill } from '@repertoire/skills-core';
 *
 * const skillset = createSkillset({
 *   skills: [defineSkill({ name: 'haiku', description: 'Writes haiku. Use when a short poem is wanted.', body: 'Five, seven, five.' })],
 * });
 * const catalog = await skillset.catalog();
 * const [loadSkill] = skillset.tools(catalog);
 * const result = await loadSkill?.execute({ name: 'haiku' }, { state: skillset.state([]) });
 * ```
 */
export function createSkillset(options: SkillsetOptions): Skillset {
  const provider = providerOf(options);
  const toolNames = resolveSkillToolNames(options.toolNames);
  const limits: ReadFileLimits = { ...defaultReadFileLimits, ...options.limits };

  return {
    provider,
    toolNames,

    async catalog({ signal } = {}) {
      const listed = await provider.listSkills({ signal });
      const skills = newestOfEach(listed).filter((skill) => skill.disableModelInvocation !== true);
      const text = renderCatalog(skills, toolNames, options.catalog);
      return Object.freeze({ skills, listed, text, tokens: estimateTokenCount(text) });
    },

    tools(catalog) {
      if (catalog.skills.length === 0) return [];
      return [loadSkillTool(provider, catalog, toolNames), readSkillFileTool(provider, catalog, toolNames, limits)];
    },

    instructions(catalog, base = '') {
      return [base, catalog.text].filter((part) => part !== '').join('\n\n');
    },

    state: (transcript) => skillStateFromTranscript(transcript, { toolNames }),

    toolAccess: (catalog, state, tool) => skillToolAccess(catalog.skills, state, tool),
  };
}

function providerOf({ provider, skills }: SkillsetOptions): SkillProvider {
  if (provider !== undefined && skills !== undefined) {
    throw new SkillError('invalid-options', 'createSkillset got both `provider` and `skills`. Give one; for both, put the skills into a provider with inCodeSkillProvider and compose the two.');
  }
  if (provider !== undefined) return provider;
  if (skills !== undefined) return inCodeSkillProvider(skills);
  throw new SkillError('invalid-options', 'createSkillset needs a source: give it a `provider`, or `skills` that are defined in code.');
}

/** The listing has the newest version of a name first. */
function newestOfEach(listed: readonly SkillMetadata[]): SkillMetadata[] {
  const seen = new Set<string>();
  return listed.filter(({ name }) => !seen.has(name) && seen.add(name));
}
