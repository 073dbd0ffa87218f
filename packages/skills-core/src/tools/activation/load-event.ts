import { isTrusted } from '../../contract/is-trusted.ts';
import type { SkillMetadata } from '../../contract/skill-provider.ts';
import { identityOfSkill } from '../../contract/skill-identity.ts';
import { revisionOf } from '../../state/revision.ts';
import type { SkillEvent } from '../../state/skill-state.ts';

/** What a load adds to what the skill itself says. */
export interface LoadEventRequest {
  /** The content that was loaded; `null` for an unpinned skill. */
  readonly content: string | null;
  /** Hashes of the given texts; `undefined` if the standing one is its text. */
  readonly texts: readonly string[] | undefined;
  readonly arguments?: string | undefined;
  readonly at?: number | undefined;
  readonly renewed?: true | undefined;
  readonly approval?: string | undefined;
}

/** The event that binds a conversation to a skill: its identity, its content and its texts. */
export function loadEvent(skill: SkillMetadata, request: LoadEventRequest): Extract<SkillEvent, { type: 'loaded' }> {
  const { content, texts, at, renewed, approval, arguments: given } = request;
  return {
    type: 'loaded',
    name: skill.name,
    ...identityOfSkill(skill),
    version: skill.version,
    content,
    revision: revisionOf(skill, content),
    ...(texts !== undefined && { texts }),
    ...(given !== undefined && { arguments: given }),
    ...(!isTrusted(skill) && { untrusted: true as const }),
    ...(at !== undefined && { at }),
    ...(approval !== undefined && { approval }),
    ...(renewed === true && { renewed }),
  };
}
