import { loadedSkillNames } from '@repertoire/skills-core/adapter';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import type { SkillsRun } from '../binding/skills-run.ts';
import { updateOf } from '../state/graph-state.ts';

/** The update that ends what an earlier run loaded, and closes what it opened. */
export async function endSkills<Context>(
  binding: SkillsBinding<Context>,
  state: unknown,
  run: SkillsRun,
): Promise<Readonly<Record<string, unknown>>> {
  const names = loadedSkillNames(binding.read(state).claimed);
  if (names.length === 0) return {};
  await binding.close(state, run);
  const ended = Object.fromEntries(names.map((name) => [name, null]));
  return updateOf(binding.channels, { loaded_skills: ended, loaded_tools: ended });
}
