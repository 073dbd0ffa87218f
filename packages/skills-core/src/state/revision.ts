import { identityOfSkill } from '../contract/skill-identity.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import type { Skill, SkillMetadata } from '../contract/skill-provider.ts';
import { canonicalJson } from '../providers/digest/canonical-json.ts';
import { hashText } from '../providers/digest/hash-text.ts';

const levelOneHashes = new WeakMap<SkillMetadata, string>();
const lastRevisions = new WeakMap<SkillMetadata, { readonly content: string | null; readonly revision: string }>();

/**
 * Names what was loaded in 22 characters: the label of the source, the place in it, the version,
 * whether the host trusts it, level 1 and the content. Two skills with one revision are the same
 * skill with the same files from the same source. It stands in the text of a loaded skill and in
 * the state.
 *
 * The name is left out, because a composition may list one skill under another name at another
 * time; the author's own is part of the content.
 *
 * @param skill level 1; a body, files and diagnostics are ignored
 * @param content digest of the content; `null` for an unpinned skill
 */
export function revisionOf(skill: SkillMetadata, content: string | null): string {
  const known = lastRevisions.get(skill);
  if (known?.content === content) return known.revision;
  const { source, place } = identityOfSkill(skill);
  const revision = hashText(canonicalJson([source, place, skill.version, isTrusted(skill), levelOneHash(skill), content]));
  if (Object.isFrozen(skill)) lastRevisions.set(skill, { content, revision });
  return revision;
}

/** Hash of level 1 without name, origin and content: the same whoever lists it. */
export function levelOneHash(skill: SkillMetadata & Partial<Skill>): string {
  const known = levelOneHashes.get(skill);
  if (known !== undefined) return known;
  const {
    name: _name,
    origin: _origin,
    content: _content,
    body: _body,
    resources: _resources,
    diagnostics: _diagnostics,
    files: _files,
    ...levelOne
  } = skill;
  const hash = hashText(canonicalJson(levelOne));
  if (Object.isFrozen(skill)) levelOneHashes.set(skill, hash);
  return hash;
}
