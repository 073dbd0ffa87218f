import type { Skill, SkillMetadata } from '../../contract/skill-provider.ts';
import type { SkillGrant } from '../../policy/approvals/skill-grants.ts';
import type { AskedChanges, AskedGrant, AskedSkill, SkillQuestion } from '../../policy/approvals/skill-question.ts';
import { canonicalJson } from '../../providers/digest/canonical-json.ts';
import { hashText } from '../../providers/digest/hash-text.ts';
import { identityOfSkill } from '../../contract/skill-identity.ts';
import { levelOneHash } from '../../state/revision.ts';
import type { LoadedSkill } from '../../state/skill-state.ts';
import { isTrusted } from '../../contract/is-trusted.ts';

const maxFiles = 1_000;
const maxBodyCharacters = 100_000;

/** Everything of a question but its id. */
export type Unasked = Omit<SkillQuestion, 'id'>;

/** The question with its id, a digest of what is asked, for whom. Without `changes`. */
export function withId(scope: string, question: Unasked, more: readonly unknown[] = []): SkillQuestion {
  const { changes: _changes, body: _body, ...asked } = question;
  return { id: hashText(canonicalJson([scope, asked, ...more])), ...question };
}

/** A skill as a person is shown it. */
export function askedSkill(skill: SkillMetadata, content: string | null): AskedSkill {
  const uri = skill.origin?.uri;
  return {
    name: skill.name,
    ...identityOfSkill(skill),
    ...(uri !== undefined && { uri }),
    version: skill.version,
    trusted: isTrusted(skill),
    content,
  };
}

/** A loaded skill that is not looked at: what its state says, which nobody trusts. */
export function askedLoaded(name: string, { source, place = name, version, content = null }: LoadedSkill): AskedSkill {
  return { name, source, place, version, trusted: false, content };
}

/** What the question of a load is made of. */
export interface QuestionOfLoad {
  readonly scope: string;
  readonly tool: string;
  readonly input: unknown;
  readonly skill: Skill;
  readonly content: string | null;
  readonly asks: readonly AskedGrant[];
  readonly grants: readonly SkillGrant[];
  readonly signer: string | undefined;
  readonly changes: AskedChanges | undefined;
}

/** The question for a load. Its id covers the body and all files. */
export function questionOfLoad({ scope, skill, content, signer, changes, ...rest }: QuestionOfLoad): SkillQuestion {
  const { body, resources } = skill;
  const files = resources.map(({ path, size, digest }) => ({
    path,
    ...(size !== undefined && { size }),
    ...(digest !== undefined && { digest }),
  }));
  const question: Unasked = {
    kind: 'load',
    ...rest,
    skills: [askedSkill(skill, content)],
    canRemember: content !== null,
    ...(signer !== undefined && { signer }),
    files: files.slice(0, maxFiles),
    body: body.length > maxBodyCharacters ? `${body.slice(0, maxBodyCharacters)}…` : body,
    ...(changes !== undefined && { changes }),
  };
  return withId(scope, question, [levelOneHash(skill), hashText(body), files]);
}
