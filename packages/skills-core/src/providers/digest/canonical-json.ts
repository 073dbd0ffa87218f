import { compareText } from '../../contract/skill-name.ts';

/** Canonical JSON (RFC 8785). `undefined` is left out, and `null` in a list. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((child) => canonicalJson(child ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, child]) => child !== undefined)
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, child]) => `${JSON.stringify(key)}:${canonicalJson(child)}`);
  return `{${members.join(',')}}`;
}
