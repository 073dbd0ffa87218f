import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillDiagnostic, SkillMetadata } from '../contract/skill-provider.ts';
import { firstInvisible } from '../prompt/escape.ts';
import { sha256Hex } from '../providers/digest/sha256-hex.ts';
import type { SkillActivity, SkillActivityListener, SkillIdentity } from './skill-activity.ts';

/** What an audit wants to know of a text that a model got. */
export interface MeasuredText {
  /** Estimated. */
  readonly tokens: number;
  /** SHA-256, as hex. */
  readonly digest: string;
}

/** Tells the host of one session what happens in it. */
export class SessionEvents {
  readonly #listener: SkillActivityListener | undefined;
  /** Reports a diagnostic, once. */
  readonly report: (diagnostic: SkillDiagnostic) => void;
  readonly #countTokens: (text: string) => number;

  constructor(
    listener: SkillActivityListener | undefined,
    report: (diagnostic: SkillDiagnostic) => void,
    countTokens: (text: string) => number,
  ) {
    this.#listener = listener;
    this.report = report;
    this.#countTokens = countTokens;
  }

  /** Whether anybody gets what is emitted. */
  get hasListener(): boolean {
    return this.#listener !== undefined;
  }

  emit(activity: SkillActivity): void {
    try {
      this.#listener?.(activity);
    } catch {
      // A listener that breaks must not break the agent.
    }
  }

  /** Emits an activity about a text. Without a listener, the text is neither counted nor hashed. */
  async emitText(text: string, activity: (measured: MeasuredText) => SkillActivity): Promise<void> {
    if (this.hasListener) this.emit(activity({ tokens: this.#countTokens(text), digest: await sha256Hex(text) }));
  }

  /** Reports what people do not see in a text. The text itself stays as reviewed. */
  reportInvisible(skill: string, path: string, text: string): void {
    const codePoint = firstInvisible(text);
    if (codePoint === undefined) return;
    this.report({
      code: 'hidden-characters',
      severity: 'warning',
      skill,
      path,
      message: `${JSON.stringify(path)} of ${JSON.stringify(skill)} holds characters that people do not see and models read, such as ${codePoint}.`,
      fix: 'Find out what they say; "repertoire lint" tells where they are.',
    });
  }
}

/** What events and spans tell of a skill. */
export type NamedSkill = Pick<SkillMetadata, 'name' | 'version' | 'origin'>;

/** Returns what names a skill in events. */
export function identityOf(skill: NamedSkill): SkillIdentity {
  return {
    skill: skill.name,
    version: skill.version,
    ...(skill.origin !== undefined && { source: skill.origin.label }),
    trusted: isTrusted(skill),
  };
}

/** Returns what a span tells of a skill. */
export function spanAttributes(skill: NamedSkill): Readonly<Record<string, string | boolean | undefined>> {
  return {
    'skill.name': skill.name,
    'skill.version': skill.version ?? undefined,
    'skill.source': skill.origin?.label,
    'skill.trusted': isTrusted(skill),
  };
}
