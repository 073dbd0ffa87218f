import { assertKnownOptions, type OptionRules } from '../../contract/known-options.ts';
import type { SkillMetadata, SkillResource } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { insideElement } from '../../prompt/escape.ts';
import { numberOption } from '../../providers/support/number-option.ts';
import { decodeText } from '../resource-text.ts';
import type { HookedLoad, SessionHooks, SkillHooks } from '../tool-environment.ts';
import { askHook, type HookHost } from './ask-hook.ts';
import type { SkillHooksOptions } from './skill-hooks-options.ts';

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
 * Hooks of the host before and after a load, an unload and the reading of a file, for the option
 * `hooks` of `createSkillset`. A hook may change one text or refuse; a hook that throws, hangs or
 * answers something else refuses, and is reported as `hook-failed`.
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
  return { open: (context, host) => sessionHooks(options, { ...host, context, timeoutMs, maxCharacters, setTimer }) };
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
