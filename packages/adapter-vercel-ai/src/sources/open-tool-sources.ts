import type { SkillCatalog, SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { newestOfEach, broughtToolsFailed, freeToolName } from '@repertoire/skills-core/internal';
import type { ToolSet } from 'ai';
import type { AiSdkToolSource, BroughtTools } from './tool-source.ts';

/** The tools that skills bring. */
export interface OpenedTools {
  readonly tools: ToolSet;
  /** Tool names by the name of the skill that brought them. */
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
  const asked = newestOfEach(listed).flatMap((skill) => sources.map(async (source) => ({ skill, brought: await ask(source, skill) })));
  const settled = await Promise.all(asked);
  const names = new Set(taken);
  const tools: ToolSet = {};
  const bySkill = new Map<string, string[]>();
  for (const { skill, brought } of settled) {
    for (const [wanted, tool] of Object.entries(brought?.tools ?? {})) {
      const name = freeToolName(wanted, skill.name, names);
      names.add(name);
      tools[name] = tool;
      bySkill.set(skill.name, [...(bySkill.get(skill.name) ?? []), name]);
    }
  }
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeAll(settled.flatMap(({ brought }) => brought ?? [])));
  if (signal?.aborted === true) {
    await close();
    signal.throwIfAborted();
  }
  signal?.addEventListener('abort', () => void close(), { once: true });
  return { tools, bySkill, close };

  async function ask(source: AiSdkToolSource, skill: SkillMetadata): Promise<BroughtTools | null> {
    try {
      return await source(skill, { signal, report });
    } catch (error) {
      report(broughtToolsFailed(skill.name, error));
      return null;
    }
  }

  async function closeAll(all: readonly BroughtTools[]): Promise<void> {
    const results = await Promise.allSettled(all.map(async (brought) => brought.close?.()));
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
