import { copyData } from '../../contract/copy-data.ts';
import { deepFreeze } from '../../contract/deep-freeze.ts';
import type { SkillMetadata } from '../../contract/skill-provider.ts';
import { isInterrupt } from '../../errors/is-interrupt.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { hookFailedReason, hookRefusalText, type SkillHookAction } from '../../prompt/hook-texts.ts';
import type { SetTimer } from '../../providers/compose/composed-source.ts';
import { abortable } from '../../providers/support/abortable.ts';
import { identityOf, type ToolEnvironment } from '../tool-environment.ts';
import type { SkillHookAnswer, SkillHookCall } from './skill-hooks-options.ts';

/** What the hooks of one session have in common. */
export interface HookHost<Context> extends Pick<ToolEnvironment, 'emit' | 'report'> {
  readonly context: Context;
  readonly timeoutMs: number;
  readonly maxCharacters: number;
  readonly setTimer: SetTimer;
}

/** One call of a hook. */
export interface HookRequest<Key extends string, Call> {
  /** The option that it is, such as `afterLoad`. */
  readonly name: string;
  readonly hook: ((call: Call) => SkillHookAnswer<Readonly<Record<Key, string>>>) | undefined;
  readonly action: SkillHookAction;
  readonly skill: SkillMetadata;
  readonly path?: string | undefined;
  /** The only field that it may change; without one it may only refuse. */
  readonly key: Key | undefined;
  /** What the hook is told besides. */
  readonly told: Omit<Call, keyof SkillHookCall<unknown>>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Calls a hook. It may return nothing, a change of its field or a refusal. Anything else blocks the
 * call and is reported.
 *
 * @returns what it changed the field to, or `undefined`
 * @throws {SkillError} `permission-denied`
 */
export async function askHook<Context, Key extends string, Call extends SkillHookCall<Context>>(
  host: HookHost<Context>,
  request: HookRequest<Key, Call>,
): Promise<string | undefined> {
  const { name, hook, action, skill, path, key } = request;
  if (hook === undefined) return undefined;
  const refused = (reason: string): SkillError => {
    if (action !== 'unload') host.emit({ type: 'skill_denied', action, reason, ...identityOf(skill) });
    return new SkillError('permission-denied', hookRefusalText(action, skill.name, path, reason), { skill: skill.name, path });
  };
  const failed = (why: string): SkillError => {
    host.report(hookFailed(name, skill.name, why));
    return refused(hookFailedReason);
  };
  let answer: unknown;
  try {
    answer = await answerInTime(host, request);
  } catch (thrown) {
    request.signal?.throwIfAborted();
    if (isInterrupt(thrown)) throw thrown;
    throw failed(String(thrown));
  }
  if (answer === undefined || answer === null) return undefined;
  const fields = typeof answer === 'object' ? Object.keys(answer) : [];
  const [field] = fields;
  if (field === undefined || fields.length !== 1 || (field !== 'refuse' && field !== key)) {
    throw failed(`it answered something else than ${[...(key === undefined ? [] : [`{ ${key} }`]), '{ refuse }'].join(' or ')}`);
  }
  const value: unknown = (answer as Record<string, unknown>)[field];
  if (typeof value !== 'string') throw failed(`the ${field} that it answered is no text`);
  if (field === 'refuse') throw refused(value);
  if (value.length > host.maxCharacters) throw failed(`the ${field} that it answered has ${value.length} characters`);
  return value.toWellFormed();
}

async function answerInTime<Context, Key extends string, Call extends SkillHookCall<Context>>(
  { context, timeoutMs, setTimer }: HookHost<Context>,
  { hook, skill, told, signal }: HookRequest<Key, Call>,
): Promise<unknown> {
  const patience = new AbortController();
  const stopTimer = setTimer(() => patience.abort(new SkillError('timeout', `It took longer than ${timeoutMs} ms.`)), timeoutMs);
  const either = signal === undefined ? patience.signal : AbortSignal.any([signal, patience.signal]);
  try {
    return await abortable(
      async () => hook?.({ skill: deepFreeze(copyData(skill)), ...told, context, signal: either } as unknown as Call),
      either,
    );
  } finally {
    stopTimer();
  }
}

function hookFailed(name: string, skill: string, why: string) {
  return {
    code: 'hook-failed',
    severity: 'error',
    skill,
    message: `The hook ${name} failed for the skill ${JSON.stringify(skill)}: ${why}. Nothing was let through.`,
    fix: 'Let the hook answer in time with nothing, the field that it may change, or { refuse }.',
  } as const;
}
