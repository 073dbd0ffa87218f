import type { SkillDiagnostic } from '../contract/skill-provider.ts';
import { oneLine } from '../prompt/escape.ts';

/** The most lines of one code. A library with a thousand bad files needs no thousand lines. */
const maxOfCode = 20;
/** The most codes. Codes are few, but a provider of somebody else could make them up. */
const maxCodes = 200;

/** Of the process, since many hosts make a skillset for each request. */
const printed = /* @__PURE__ */ new Map<string, Set<string>>();

/**
 * Prints a warning or an error with `console.warn`, once in a process: what a host gets that has no
 * listener. Infos are left out. Texts of sources are one line each and hold no control characters,
 * so that no file can write into a terminal.
 */
export function printDiagnostic({ code, severity, message, fix }: SkillDiagnostic): void {
  if (severity === 'info') return;
  let lines = printed.get(code);
  if (lines === undefined) {
    if (printed.size >= maxCodes) return;
    printed.set(code, (lines = new Set()));
  }
  const line = oneLine([message, fix].filter(Boolean).join(' '));
  if (lines.size >= maxOfCode || lines.has(line)) return;
  lines.add(line);
  const isLast = lines.size === maxOfCode;
  warn(`[repertoire] ${severity}: ${line} (${oneLine(code)})`);
  if (isLast) warn(`[repertoire] Further diagnostics ${oneLine(code)} are not printed. To get all, give createSkillset an onDiagnostic.`);
}

/** Not every host that runs JavaScript has a console. */
function warn(line: string): void {
  (globalThis as { readonly console?: { warn?(line: string): void } }).console?.warn?.(line);
}
