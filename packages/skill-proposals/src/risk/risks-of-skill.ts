import type { Skill, SkillDiagnostic, SkillProvider } from '@repertoire/skills-core';
import { decodeText, readSkillMd } from '@repertoire/skills-core/provider';
import { readRisks, type Risk, type RiskText } from './read-risks.ts';

const maxTextBytes = 1_048_576;
const maxFiles = 1_000;

/**
 * Reads the texts of a skill of a source, and says what in them a person should have seen. Notes of
 * texts that tell of an attack are `info`.
 *
 * @throws {SkillError} what the source rejects with
 */
export async function risksOfSkill(provider: SkillProvider, skill: Skill, signal?: AbortSignal): Promise<readonly SkillDiagnostic[]> {
  const texts: RiskText[] = [{ path: 'SKILL.md', text: decodeText((await readSkillMd(provider, skill, { signal })).bytes) ?? skill.body }];
  for (const { path, size = 0 } of skill.resources.slice(0, maxFiles)) {
    if (size > maxTextBytes) continue;
    const resource = await provider.readResource(skill.name, path, { version: skill.version, maxBytes: maxTextBytes, signal });
    const text = resource === null ? null : decodeText(resource.bytes, resource.size > resource.bytes.length);
    if (text !== null) texts.push({ path, text });
  }
  return readRisks(texts, skill).map((risk) => riskDiagnostic(risk, skill.name));
}

/** A risk as every command tells it. */
export function riskDiagnostic({ code, severity, message, fix, path, line, column }: Risk, skill: string): SkillDiagnostic {
  return { code, severity: severity === 'note' ? 'info' : severity, message, fix, skill, path, line, column };
}
