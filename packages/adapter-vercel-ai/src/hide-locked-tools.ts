import type { ModelMessage } from 'ai';
import type { AiSdkPrepareStep } from './ai-sdk-skills-options.ts';

/** Options of {@link hideLockedTools}. */
export interface HideLockedToolsOptions {
  /** Tools that are never locked, in the order in which the model sees them. */
  readonly always: readonly string[];
  /** Tools that skills open. */
  readonly lockable: readonly string[];
  /** Which of these are open in a conversation. */
  readonly openIn: (messages: readonly ModelMessage[]) => (tool: string) => boolean;
}

/**
 * A `prepareStep` that shows the model only what is open. Open tools come at the end of the list, so that what stands before them stays the same to the byte.
 *
 * It looks at `messages`, because `steps` lacks the calls that ran after an approval.
 */
export function hideLockedTools({ always, lockable, openIn }: HideLockedToolsOptions): AiSdkPrepareStep {
  if (lockable.length === 0) return () => undefined;
  const toolOrder = [...always, ...lockable] as never[];
  return ({ messages }) => {
    const open = openIn(messages);
    return { activeTools: [...always, ...lockable.filter(open)] as never[], toolOrder };
  };
}
