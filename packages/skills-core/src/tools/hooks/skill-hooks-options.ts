import type { Skill, SkillMetadata } from '../../contract/skill-provider.ts';
import type { SetTimer } from '../../providers/compose/composed-source.ts';

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
