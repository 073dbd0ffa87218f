import type { GetSkillOptions, SkillMetadata, SkillProvider } from '../../contract/skill-provider.ts';

/** What {@link wrapProvider} changes of a provider. */
export type WrappedProvider = Pick<SkillProvider, 'listSkills' | 'getSkill' | 'readResource'> &
  Partial<Pick<SkillProvider, 'label' | 'contentOf' | 'mayList'>>;

/** Options of {@link wrapProvider}. */
export interface WrapProviderOptions {
  /**
   * Whether disposing of the result disposes of the wrapped provider. Pass `false` for a view that
   * is made for each request.
   * @default true
   */
  readonly disposes?: boolean | undefined;
}

/**
 * Wraps a provider around another one: the methods are the wrapper's, and every optional member is
 * forwarded. A member that the wrapped provider does not have is missing in the result too. Use it
 * for every wrapper, since a wrapper that forgets `gatedTools` opens gates.
 *
 * `contentOf` is forwarded only if the wrapper has it, because a wrapper may change bodies or
 * files. Such a wrapper also leaves `content` out of what it returns, and is not asked `withBytes`.
 *
 * @example
 * ```ts
 * import type { SkillProvider } from '@repertoire/skills-core';
 * import { wrapProvider } from '@repertoire/skills-core/provider';
 *
 * export const shouting = (provider: SkillProvider): SkillProvider =>
 *   wrapProvider(provider, {
 *     listSkills: (options) => provider.listSkills(options),
 *     async getSkill(name, options) {
 *       const skill = await provider.getSkill(name, options);
 *       return skill && { ...skill, body: skill.body.toUpperCase() };
 *     },
 *     readResource: (name, path, options) => provider.readResource(name, path, options),
 *   });
 * ```
 */
export function wrapProvider(
  provider: SkillProvider,
  wrapper: WrappedProvider,
  { disposes = true }: WrapProviderOptions = {},
): SkillProvider {
  const dispose = disposes ? provider[Symbol.asyncDispose] : undefined;
  return {
    label: provider.label,
    ...(provider.trusted !== undefined && { trusted: provider.trusted }),
    ...(provider.mayList !== undefined && { mayList: (skill: SkillMetadata) => provider.mayList?.(skill) !== false }),
    ...wrapper,
    ...(wrapper.contentOf === undefined && {
      getSkill: (name: string, { withBytes: _withBytes, ...options }: GetSkillOptions = {}) => wrapper.getSkill(name, options),
    }),
    ...(provider.watch !== undefined && { watch: (onChange: () => void) => provider.watch?.(onChange) ?? (() => {}) }),
    ...(provider.gatedTools !== undefined && { gatedTools: () => provider.gatedTools?.() ?? [] }),
    ...(provider.toolSet !== undefined && { toolSet: () => provider.toolSet?.() ?? {} }),
    ...(dispose !== undefined && { [Symbol.asyncDispose]: async () => dispose.call(provider) }),
  };
}
