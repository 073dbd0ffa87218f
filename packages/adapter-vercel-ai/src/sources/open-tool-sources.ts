import type { SkillCatalog, SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { toolsOfSkillFailed, freeToolName } from '@repertoire/skills-core/adapter';
import { newestOfEach } from '@repertoire/skills-core/internal';
import type { ToolSet } from 'ai';
import type { AiSdkToolSource, ToolsOfSkill } from './tool-source.ts';

/** The tools of skills. */
export interface OpenedTools {
  readonly tools: ToolSet;
  /** Tool names by the name of the skill that they are of. */
  readonly bySkill: ReadonlyMap<string, readonly string[]>;
  close(): Promise<void>;
}

/** Options of {@link openToolSources}. */
export interface OpenToolSourcesOptions {
  /** Names that are taken. A tool with such a name is prefixed with the name of its skill. */
  readonly taken: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly report: (diagnostic: SkillDiagnostic) => void;
}

/** Asks every source for the tools of every skill. A failing one is reported. */
export async function openToolSources(
  sources: readonly AiSdkToolSource[],
  { listed }: Pick<SkillCatalog, 'listed'>,
  { taken, signal, report }: OpenToolSourcesOptions,
): Promise<OpenedTools> {
  const asked = newestOfEach(listed).flatMap((skill) => sources.map(async (source) => ({ skill, own: await ask(source, skill) })));
  const settled = await Promise.all(asked);
  const names = new Set(taken);
  const tools: ToolSet = {};
  const bySkill = new Map<string, string[]>();
  for (const { skill, own } of settled) {
    for (const [wanted, tool] of Object.entries(own?.tools ?? {})) {
      const name = freeToolName(wanted, skill.name, names);
      names.add(name);
      tools[name] = tool;
      bySkill.set(skill.name, [...(bySkill.get(skill.name) ?? []), name]);
    }
  }
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeAll(settled.flatMap(({ own }) => own ?? [])));
  if (signal?.aborted === true) {
    await close();
    signal.throwIfAborted();
  }
  signal?.addEventListener('abort', () => void close(), { once: true });
  return { tools, bySkill, close };

  async function ask(source: AiSdkToolSource, skill: SkillMetadata): Promise<ToolsOfSkill | null> {
    try {
      return await source(skill, { signal, report });
    } catch (error) {
      report(toolsOfSkillFailed(skill.name, error));
      return null;
    }
  }

  async function closeAll(all: readonly ToolsOfSkill[]): Promise<void> {
    const results = await Promise.allSettled(all.map(async (own) => own.close?.()));
    for (const result of results) {
      if (result.status === 'rejected') {
        report({
          severity: 'warning',
          code: 'skill-tools',
          message: `A connection could not be closed: ${String(result.reason)}`,
          fix: 'Look at the server.',
        });
      }
    }
  }
}
