import { loadedSkillNames } from '@repertoire/skills-core/adapter';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import type { SkillsRun } from '../binding/skills-run.ts';
import { updateOf } from '../state/graph-state.ts';

/**
 * Under `activeFor: 'run'`, the update that ends what an earlier run loaded, at the start of the
 * next one; else nothing.
 */
export async function endRun<Context>(
  binding: SkillsBinding<Context>,
  state: unknown,
  run: SkillsRun,
): Promise<Readonly<Record<string, unknown>>> {
  const names = binding.options.activeFor === 'run' ? loadedSkillNames(binding.read(state).claimed) : [];
  if (names.length === 0) return {};
  await binding.close(state, run);
  return unloaded(binding, names);
}

/** The update after which these skills are not loaded. */
export function unloaded<Context>(
  { channels }: Pick<SkillsBinding<Context>, 'channels'>,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  const ended = Object.fromEntries(names.map((name) => [name, null]));
  return updateOf(channels, { loaded_skills: ended, loaded_tools: ended });
}
