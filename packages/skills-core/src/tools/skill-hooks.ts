import { copyData } from '../contract/copy-data.ts';
import { deepFreeze } from '../contract/deep-freeze.ts';
import { assertKnownOptions, type OptionRules } from '../contract/known-options.ts';
import type { Skill, SkillMetadata, SkillResource } from '../contract/skill-provider.ts';
import { isInterrupt } from '../errors/is-interrupt.ts';
import { SkillError } from '../errors/skill-error.ts';
import { identityOf, type SessionEvents } from '../events/session-events.ts';
import { insideElement } from '../prompt/escape.ts';
import { hookFailedReason, hookRefusalText, type SkillHookAction } from '../prompt/hook-texts.ts';
import type { SetTimer } from '../providers/compose/composed-source.ts';
import { abortable } from '../providers/support/abortable.ts';
import { numberOption } from '../providers/support/number-option.ts';
import { decodeText } from './resource-text.ts';
import type { HookedLoad, SessionHooks, SkillHooks } from './tool-host.ts';

/** What every hook is told. */
export interface SkillHookCall<Context> {
  readonly skill: SkillMetadata;
  /** What the host gave to `skillset.open({ context })`. */
  readonly context: Context;
  /** Aborts when the call is given up, and when the hook takes longer than `timeoutMs`. */
  readonly signal: AbortSignal;
}

/** The answer of a hook that says no; the model reads the reason. */
export interface SkillHookRefusal {
  readonly refuse: string;
}

/** Nothing, a change, or a refusal. Anything else refuses (`hook-failed`). */
export type SkillHookAnswer<Change> = void | undefined | Change | SkillHookRefusal | Promise<void | undefined | Change | SkillHookRefusal>;

/** Options of {@link skillHooks}. */
export interface SkillHooksOptions<Context = undefined> {
  /** May change the arguments of a skill, or refuse. @default nothing */
  readonly beforeLoad?:
    | ((call: SkillHookCall<Context> & { readonly arguments: string | undefined }) => SkillHookAnswer<{ readonly arguments: string }>)
    | undefined;
  /** May change the body that is about to be given, or refuse. @default nothing */
  readonly afterLoad?:
    | ((call: SkillHookCall<Context> & { readonly skill: Skill; readonly body: string }) => SkillHookAnswer<{ readonly body: string }>)
    | undefined;
  /** Before a file is read: may name another path of the same skill, or refuse. @default nothing */
  readonly beforeRead?:
    | ((call: SkillHookCall<Context> & { readonly path: string }) => SkillHookAnswer<{ readonly path: string }>)
    | undefined;
  /** May change the text of a file, `null` if binary, or refuse. @default nothing */
  readonly afterRead?:
    | ((
        call: SkillHookCall<Context> & { readonly path: string; readonly text: string | null },
      ) => SkillHookAnswer<{ readonly text: string }>)
    | undefined;
  /** Before a skill ends: may refuse. @default nothing */
  readonly beforeUnload?: ((call: SkillHookCall<Context>) => SkillHookAnswer<never>) | undefined;
  /** May change the answer of the unload tool. The skill ends in any case. @default nothing */
  readonly afterUnload?:
    | ((call: SkillHookCall<Context> & { readonly text: string }) => SkillHookAnswer<{ readonly text: string }>)
    | undefined;
  /** How long one hook may take. @default 5_000 */
  readonly timeoutMs?: number | undefined;
  /** The most characters of a hook's text; beyond it `hook-failed`. @default 1_000_000 */
  readonly maxCharacters?: number | undefined;
  /** Sets the timers of `timeoutMs`; for tests. @default setTimeout */
  readonly setTimer?: SetTimer | undefined;
}

const of = 'skillHooks';
const knownOptions: OptionRules<SkillHooksOptions> = {
  beforeLoad: '()',
  afterLoad: '()',
  beforeRead: '()',
  afterRead: '()',
  beforeUnload: '()',
  afterUnload: '()',
  timeoutMs: 'number',
  maxCharacters: 'number',
  setTimer: '()',
};

/**
 * Runs hooks of the host before and after a load, an unload and the reading of a file, for the
 * option `hooks` of `createSkillset`. A hook may change one text or refuse; a hook that throws,
 * hangs or answers something else refuses, and is reported as `hook-failed`.
 *
 * The hooks of a load run each time instructions are given: at the load, when they are restored
 * after a compaction, and for the system prompt. The same skill and arguments should give the same
 * text, so that a model is not given it again. They run after `permissions`, and change nothing
 * that decides: names, tools, trust and gates stay those of the source. Commands in a body that a
 * hook wrote run like those of its author.
 *
 * @throws {SkillError} `invalid-options` for an option that does not exist, a hook that is no
 *   function, or a number out of range
 * @example
 * ```ts
 * import { createSkillset, skillHooks, type SkillProvider } from '@repertoire/skills-core';
 *
 * export const skillsetOf = (provider: SkillProvider) =>
 *   createSkillset({
 *     provider,
 *     hooks: skillHooks({
 *       afterLoad: ({ body }) => ({ body: body.replaceAll('{{company}}', 'Example Inc.') }),
 *       beforeRead: ({ path }) => (path.startsWith('assets/internal/') ? { refuse: 'it is internal' } : undefined),
 *     }),
 *   });
 * ```
 */
export function skillHooks<Context = undefined>(options: SkillHooksOptions<Context>): SkillHooks<Context> {
  assertKnownOptions(of, options, knownOptions);
  const timeoutMs = numberOption('timeoutMs', options.timeoutMs, { of, fallback: 5_000, least: 0, most: 2_147_483_647 });
  const maxCharacters = numberOption('maxCharacters', options.maxCharacters, { of, fallback: 1_000_000, least: 1 });
  const setTimer = options.setTimer ?? defaultTimer;
  return { open: (context, events) => sessionHooks(options, { events, context, timeoutMs, maxCharacters, setTimer }) };
}

function sessionHooks<Context>(options: SkillHooksOptions<Context>, host: HookHost<Context>): SessionHooks {
  return {
    async load(request: HookedLoad, signal) {
      const { skill } = request;
      const shared = { action: 'load', skill, signal } as const;
      const { beforeLoad, afterLoad } = options;
      const told = { arguments: request.arguments };
      const changed = await askHook(host, { ...shared, name: 'beforeLoad', hook: beforeLoad, key: 'arguments', told });
      const body = await askHook(host, { ...shared, name: 'afterLoad', hook: afterLoad, key: 'body', told: { body: skill.body } });
      return { skill: body === undefined ? skill : { ...skill, body }, arguments: changed ?? request.arguments };
    },

    async path(skill: SkillMetadata, path, signal) {
      const request = { name: 'beforeRead', hook: options.beforeRead, action: 'read', skill, path, signal } as const;
      return (await askHook(host, { ...request, key: 'path', told: { path } })) ?? path;
    },

    async file(skill: SkillMetadata, file: SkillResource, signal) {
      const { path } = file;
      const request = { name: 'afterRead', hook: options.afterRead, action: 'read', skill, path, signal } as const;
      const told = { path, text: decodeText(file.bytes, file.size > file.bytes.length) };
      const text = await askHook(host, { ...request, key: 'text', told });
      return text === undefined ? file : withText(file, text);
    },

    async unload(skill: SkillMetadata, text, signal) {
      const { beforeUnload, afterUnload } = options;
      const shared = { action: 'unload', skill, signal } as const;
      await askHook(host, { ...shared, name: 'beforeUnload', hook: beforeUnload, key: undefined, told: {} });
      try {
        const changed = await askHook(host, { ...shared, name: 'afterUnload', hook: afterUnload, key: 'text', told: { text } });
        return changed === undefined ? text : insideElement(changed);
      } catch (error) {
        // It was reported; a skill that has ended is not kept by what comes after.
        if (SkillError.isInstance(error)) return text;
        throw error;
      }
    },
  };
}

/** The file with another text, without the digest of the old bytes. */
function withText({ path, mediaType, bytes, size }: SkillResource, text: string): SkillResource {
  const changed = new TextEncoder().encode(text);
  return { path, mediaType, bytes: changed, size: changed.length + (size - bytes.length) };
}

function defaultTimer(callback: () => void, milliseconds: number): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}

/** What the hooks of one session have in common. */
interface HookHost<Context> {
  readonly events: SessionEvents;
  readonly context: Context;
  readonly timeoutMs: number;
  readonly maxCharacters: number;
  readonly setTimer: SetTimer;
}

/** One call of a hook. */
interface HookRequest<Key extends string, Call> {
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
async function askHook<Context, Key extends string, Call extends SkillHookCall<Context>>(
  host: HookHost<Context>,
  request: HookRequest<Key, Call>,
): Promise<string | undefined> {
  const { name, hook, action, skill, path, key } = request;
  if (hook === undefined) return undefined;
  const refused = (reason: string): SkillError => {
    if (action !== 'unload') host.events.emit({ type: 'skill_denied', action, reason, ...identityOf(skill) });
    return new SkillError('permission-denied', hookRefusalText(action, skill.name, path, reason), { skill: skill.name, path });
  };
  const failed = (why: string): SkillError => {
    host.events.report(hookFailed(name, skill.name, why));
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
