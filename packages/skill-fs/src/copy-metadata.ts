import type { SkillMetadata } from '@repertoire/skills-core';

/** A copy that owes nothing to the original. A plain walk, since `structuredClone` takes ten times as long for objects as small as these. */
export function copyMetadata(metadata: SkillMetadata): SkillMetadata {
  return copy(metadata);
}

function copy<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy) as Value;
  // Spreading makes an own field of `__proto__`, and assigning to an own field stays there.
  const result: Record<string, unknown> = { ...(value as Record<string, unknown>) };
  for (const key of Object.keys(result)) {
    if (typeof result[key] === 'object') result[key] = copy(result[key]);
  }
  return result as Value;
}
