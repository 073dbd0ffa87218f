import type { SkillCatalog } from '../catalog/skill-catalog.ts';
import type { SkillMetadata, SkillProvider } from '../contract/skill-provider.ts';
import type { SkillActivity, SkillIdentity } from '../events/skill-activity.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillRefreshPolicy } from '../state/refresh.ts';
import type { SkillSurface } from '../catalog/surface/surface-of.ts';
import type { VersionResolver } from '../providers/versions/version-resolver.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';

/** How much of a skill's files may be read. */
export interface SkillReadLimits {
  /** Most bytes to fetch of one file. @default 4 MiB */
  readonly maxResourceBytes: number;
  /** Most characters (UTF-16 units) in one answer. @default 20000, about 5,000 tokens */
  readonly maxResourceCharacters: number;
}

/** What the tools of one catalog share. */
export interface ToolEnvironment {
  readonly provider: SkillProvider;
  readonly catalog: SkillCatalog;
  readonly names: SkillToolNames;
  readonly limits: SkillReadLimits;
  /** Name of the tool that reads a listed file; the text of a loaded skill mentions it. */
  readonly fileReader: string;
  readonly refresh?: SkillRefreshPolicy | undefined;
  /** Whether a skill exists for this request. */
  isSelected(skill: SkillMetadata): boolean;
  /** Which of a skill's versions a range means; `null` for none. */
  readonly resolveVersion: VersionResolver;
  /** Where a skill's line and its body stand. */
  surfaceOf(skill: SkillMetadata): SkillSurface;
  /** Estimates the tokens of a text. */
  countTokens(text: string): number;
  /** @throws {SkillError} `permission-denied` where the host says no */
  assertAllowed(action: 'load' | 'read', skill: SkillMetadata, path?: string): Promise<void>;
  emit(activity: SkillActivity): void;
}

export function identityOf(skill: SkillMetadata): SkillIdentity {
  return {
    skill: skill.name,
    ...(skill.version !== undefined && { version: skill.version }),
    ...(skill.origin !== undefined && { source: skill.origin.label }),
    trusted: isTrusted(skill),
  };
}

/** What a span tells of a skill. */
export function spanAttributes(skill: SkillMetadata): Readonly<Record<string, string | boolean | undefined>> {
  return {
    'skill.name': skill.name,
    'skill.version': skill.version,
    'skill.source': skill.origin?.label,
    'skill.trusted': isTrusted(skill),
  };
}
