import { listedVersions } from '../catalog/find-skill.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillDiagnostic } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { identityOf } from '../events/session-events.ts';
import { inForce } from '../policy/in-force.ts';
import { olderRevision } from '../state/parse-skill-state.ts';
import { hostCallId } from '../state/host-call.ts';
import { loadedSkill, loadedSkillNames, settledState, type SkillState } from '../state/skill-state.ts';
import type { SkillToolContext } from '../tools/skill-tool.ts';
import { inputOf, type RestoredText, type SessionInside } from '../tools/activation/lost-texts.ts';
import type { SkillSession } from './skill-session.ts';

/**
 * A skill that the host loads again, because its content changed: a call of the load tool and its
 * result, for the end of the messages.
 */
export interface RenewedSkill extends RestoredText {
  /** Id of the call. It is the same for the same content. */
  readonly toolCallId: string;
}

/** Replicas may differ, and would renew each other's loads for ever. */
const maxRenewals = 3;

/**
 * Loads the present content of trusted loaded skills that changed, under `contentChange: 'renew'`.
 * Call it before a model call, put the calls and results at the end of the messages, and record
 * their events. Without that option, nothing is loaded, nor more than three times for each in a
 * conversation. What cannot be loaded stays closed: renewing is no reason to fail a request.
 *
 * @example
 * ```ts
 * import type { SkillSession, SkillState } from '@repertoire/skills-core';
 * import { renewSkills } from '@repertoire/skills-core/adapter';
 *
 * export async function renewed(session: SkillSession, state: SkillState): Promise<string[]> {
 *   return (await renewSkills(session, state)).map(({ text }) => text);
 * }
 * ```
 */
export async function renewSkills(
  session: SkillSession,
  state: SkillState,
  context: Pick<SkillToolContext, 'at' | 'signal'> = {},
): Promise<readonly RenewedSkill[]> {
  const renewed: RenewedSkill[] = [];
  if (!session.renewsChanged) return renewed;
  const { inside } = session;
  const { events, activation } = inside.host;
  const given = { ...context, state: settledState(state, activation) };
  for (const name of loadedSkillNames(given.state)) {
    try {
      const one = await renew(inside, name, given);
      if (one !== undefined) renewed.push(one);
    } catch (thrown) {
      context.signal?.throwIfAborted();
      if (!SkillError.isInstance(thrown)) throw thrown;
      events.report({
        code: 'skill-not-renewed',
        severity: 'warning',
        skill: name,
        message: `The changed skill ${JSON.stringify(name)} could not be loaded again: ${thrown.message} It stays closed.`,
      });
    }
  }
  return renewed;
}

async function renew(
  { host: { catalog, events, names, present }, instructions }: SessionInside,
  name: string,
  context: Pick<SkillToolContext, 'state' | 'at' | 'signal'>,
): Promise<RenewedSkill | undefined> {
  const loaded = loadedSkill(context.state, name);
  if (loaded === undefined || loaded.untrusted === true || (loaded.renewals ?? 0) >= maxRenewals) return undefined;
  const look = await inForce(present, context.state, name);
  if (look.inForce || (look.reason !== 'content' && look.reason !== 'older-state')) return undefined;
  // A state of an earlier version does not tell the place.
  const [older] = listedVersions(catalog.listed, name).filter(({ version }) => version === loaded.version);
  const skill = look.reason === 'content' ? look.skill : older;
  if (skill === undefined || !isTrusted(skill)) return undefined;
  const request = { skill, arguments: loaded.arguments, by: 'host', renewed: true } as const;
  const loading = await instructions.activate(request, context);
  const [event] = loading.events;
  if (event?.type !== 'loaded') return undefined;
  events.emit({ type: 'skill_renewed', ...identityOf(skill) });
  // What was read from a text does not tell the place, and nobody writes down what comes of it.
  if (loaded.place === undefined && loaded.revision !== olderRevision) events.report(notCounted(name));
  const input = inputOf(context.state, name);
  const toolCallId = hostCallId(`renew-${event.revision}`, names.load, input);
  return { name, input, text: loading.text, cut: false, events: loading.events, toolCallId };
}

function notCounted(name: string): SkillDiagnostic {
  return {
    code: 'renewal-not-saved',
    severity: 'warning',
    skill: name,
    message: `The changed skill ${JSON.stringify(name)} was loaded again for this model call alone, since no state is saved: it is loaded at each call, and not counted.`,
    fix: 'Give the adapter a state, which counts and keeps renewals.',
  };
}
