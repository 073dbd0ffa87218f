import { listedVersions } from '../catalog/listed-versions.ts';
import { SkillError } from '../errors/skill-error.ts';
import { frame, unloadedElement } from '../prompt/frames.ts';
import { listWords, quoteWord } from '../prompt/source-words.ts';
import { unloadedText } from '../prompt/model-texts.ts';
import { loadedSkill, loadedSkillNames, type SkillState } from '../state/skill-state.ts';
import { describeTool } from './describe-tool.ts';
import { loadedName } from './pinned/read-skill-in-use.ts';
import { makeTool } from './run-tool.ts';
import type { SkillTool } from './skill-tool.ts';
import { identityOf, spanAttributes, type ToolEnvironment } from './tool-environment.ts';
import { assertLoadedVersion } from './wanted-version.ts';

/** `unload_skill`: ends any loaded skill, also one that left the catalog. */
export function unloadSkillTool(environment: ToolEnvironment): SkillTool {
  const { catalog, names } = environment;
  return makeTool(environment, describeTool('unload', names), async (fields, { state, signal }, span) => {
    const name = findLoaded(state, fields.requiredText('name', 'skill_name', 'skill_id', 'skill', 'id'));
    assertLoadedVersion(environment, state, name, fields.optionalText('version'));
    await environment.approvals?.unload(name, state);
    const version = loadedSkill(state, name)?.version ?? null;
    const skill = listedVersions(catalog.listed, name)[0] ?? { name, description: '', version };
    span.set(spanAttributes(skill));
    const text = unloadedText(name);
    const told = (await environment.hooks?.unload(skill, text, signal)) ?? text;
    environment.emit({ type: 'skill_unloaded', ...identityOf(skill) });
    return { text: frame(unloadedElement, { name }, told), events: [{ type: 'unloaded', name }] };
  });
}

function findLoaded(state: SkillState, name: string): string {
  const found = loadedName(state, name);
  if (found !== undefined) return found;
  const loaded = loadedSkillNames(state);
  const others = loaded.length === 0 ? 'No skill is loaded.' : `Loaded skills: ${listWords(loaded)}.`;
  throw new SkillError('not-loaded', `Skill ${quoteWord(name)} is not loaded. ${others}`, { skill: name });
}
