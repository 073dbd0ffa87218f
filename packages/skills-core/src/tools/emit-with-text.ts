import type { SkillActivity } from '../events/skill-activity.ts';
import { sha256Hex } from '../providers/digest/sha256-hex.ts';
import type { ToolEnvironment } from './tool-environment.ts';

/** What an audit wants to know of a text that a model got. */
export interface MeasuredText {
  /** Estimated. */
  readonly tokens: number;
  /** SHA-256, as hex. */
  readonly digest: string;
}

/** Emits an activity. Without a listener, the text is neither counted nor hashed. */
export async function emitWithText(
  { hasListener, countTokens, emit }: Pick<ToolEnvironment, 'hasListener' | 'countTokens' | 'emit'>,
  text: string,
  activity: (measured: MeasuredText) => SkillActivity,
): Promise<void> {
  if (hasListener) emit(activity({ tokens: countTokens(text), digest: await sha256Hex(text) }));
}
