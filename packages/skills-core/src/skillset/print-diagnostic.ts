import type { SkillDiagnostic } from '../contract/skill-provider.ts';
import { oneLine } from '../prompt/escape.ts';

/** The most lines of one code. A library with a thousand bad files needs no thousand lines. */
const maxOfCode = 20;
/** The most codes. Codes are few, but a provider of somebody else could make them up. */
const maxCodes = 200;
/** More files with faults of their own are one line: the host can repair none of them. */
const maxDeviations = 3;

/** Codes of the parser: how a `SKILL.md` is not as the standard asks for. */
const deviation =
  /^(?:(?:file-too-large|byte-order-mark|control-character|merge-conflict|duplicate-key|inline-comment|resource-path-invalid|diagnostics-cut)$|(?:encoding|skill-file|frontmatter|yaml|name|description|compatibility|metadata|allowed-tools|field)-)/;

/** Of the process, since many hosts make a skillset for each request. */
const printed = /* @__PURE__ */ new Map<string, Set<string>>();
let deviations: SkillDiagnostic[] = [];

/**
 * Prints a warning or an error with `console.warn`, once in a process: what a host gets that has no
 * listener. Infos are left out. Texts of sources are one line each and hold no control characters,
 * so that no file can write into a terminal. If more than three files of a listing deviate from the
 * standard, that is one line.
 */
export function printDiagnostic(diagnostic: SkillDiagnostic): void {
  if (diagnostic.severity === 'info') return;
  if (!deviation.test(diagnostic.code)) return printOne(diagnostic);
  // Those of one listing are told in one turn.
  if (deviations.push(diagnostic) === 1) void Promise.resolve().then(printDeviations);
}

function printDeviations(): void {
  const all = deviations;
  deviations = [];
  if (all.length <= maxDeviations) return all.forEach(printOne);
  const skills = (some: readonly SkillDiagnostic[]): number => new Set(some.map(({ path, skill }) => path ?? skill)).size;
  const unusable = skills(all.filter(({ severity }) => severity === 'error'));
  print(
    'deviations',
    `warning: ${skills(all)} skills deviate from the standard${unusable === 0 ? '' : `, and ${unusable} of them cannot be used`}. To see how: repertoire check <source>, or give createSkillset an onDiagnostic.`,
  );
}

function printOne({ code, severity, message, fix }: SkillDiagnostic): void {
  print(code, `${severity}: ${[message, fix].filter(Boolean).join(' ')} (${code})`);
}

function print(code: string, text: string): void {
  let lines = printed.get(code);
  if (lines === undefined) {
    if (printed.size >= maxCodes) return;
    printed.set(code, (lines = new Set()));
  }
  const line = oneLine(text);
  if (lines.size >= maxOfCode || lines.has(line)) return;
  lines.add(line);
  warn(`[repertoire] ${line}`);
  if (lines.size === maxOfCode)
    warn(`[repertoire] Further diagnostics ${oneLine(code)} are not printed. To get all, give createSkillset an onDiagnostic.`);
}

/** Not every host that runs JavaScript has a console. */
function warn(line: string): void {
  (globalThis as { readonly console?: { warn?(line: string): void } }).console?.warn?.(line);
}
