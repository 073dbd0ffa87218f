import type { SkillMetadata } from '../../contract/skill-provider.ts';
import { listedIdentity } from '../../policy/in-force.ts';
import { loadedSkill, type SkillState } from '../../state/skill-state.ts';
import type { ToolEnvironment } from '../tool-environment.ts';

/**
 * Whether the body of a loaded skill stands in the system prompt, where nothing cuts it. One that
 * is not listed any more stood where the host places skills. What was read from a text, which tells
 * no place, is known only while it is listed: no text puts a name into the system prompt.
 */
export function standsInPrompt({ catalog, surfaceOf }: ToolEnvironment, state: SkillState, name: string): boolean {
  const loaded = loadedSkill(state, name);
  if (loaded === undefined) return false;
  const { source, place, version, untrusted } = loaded;
  const asLoaded: SkillMetadata = {
    name,
    description: '',
    version,
    origin: { kind: 'loaded', label: source, trusted: untrusted !== true },
  };
  const known = listedIdentity(catalog.listed, name, loaded) ?? (place === undefined ? undefined : asLoaded);
  return known !== undefined && surfaceOf(known).body.systemPrompt;
}
