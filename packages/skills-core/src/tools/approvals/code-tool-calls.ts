import { isTrusted } from '../../contract/is-trusted.ts';
import type { AllowedToolCall } from '../../policy/allowed-tools/matches-allowed-tool.ts';
import type { AskedSkill, SkillQuestion } from '../../policy/approvals/skill-question.ts';
import { lookAtLoaded, type LoadedLook } from '../../policy/held/look-at-loaded.ts';
import { loadedSkill, loadedSkillNames, type SkillState } from '../../state/skill-state.ts';
import { ask, type OpenedApprovals } from './opened-approvals.ts';
import { askedLoaded, askedSkill, withId } from './question-of-load.ts';

/** Level 1 and grants of everything that is loaded. What cannot be looked at has changed. */
export async function looksAt({ host }: OpenedApprovals, state: SkillState): Promise<readonly LoadedLook[]> {
  return await Promise.all(
    loadedSkillNames(state).map((name) =>
      lookAtLoaded(host.present(), state, name).catch((): LoadedLook => ({ status: 'changed', name, reason: 'gone' })),
    ),
  );
}

interface Lacking {
  readonly skill: AskedSkill;
  /** The record that its load rests on. */
  readonly load: string | undefined;
}

/** The loaded skills whose text must not make a tool execute code unasked. */
export async function lacking(opened: OpenedApprovals, state: SkillState): Promise<readonly Lacking[]> {
  const looks = await looksAt(opened, state);
  return looks.flatMap((look) => {
    const loaded = loadedSkill(state, look.name);
    if (loaded === undefined || (look.status === 'held' && look.grants.has('code-tools'))) return [];
    // The text of a trusted skill that changed is one that the host trusted when it was loaded.
    const wasTrusted = loaded.untrusted !== true && (look.skill === undefined || isTrusted(look.skill));
    const isFree = look.skill === undefined || !opened.needed(look.skill).includes('code-tools');
    if (look.status === 'changed' && wasTrusted && isFree) return [];
    const skill = look.skill === undefined ? askedLoaded(look.name, loaded) : askedSkill(look.skill, loaded.content ?? null);
    return [{ skill, load: loaded.approval }];
  });
}

/** The question on a call of a tool of the host. */
export async function questionOnCall(
  opened: OpenedApprovals,
  state: SkillState,
  { tool, input, id }: AllowedToolCall,
): Promise<SkillQuestion | undefined> {
  if (!opened.isCodeTool(tool)) return undefined;
  const found = await lacking(opened, state);
  if (found.length === 0) return undefined;
  const skills = found.map(({ skill }) => skill);
  const canRemember = skills.every(({ content }) => content !== null);
  const question = withId(opened.scope, { kind: 'call', tool, input, skills, grants: ['code-tools'], canRemember });
  return ask(opened, question, id, { loads: found.flatMap(({ load }) => load ?? []) });
}
