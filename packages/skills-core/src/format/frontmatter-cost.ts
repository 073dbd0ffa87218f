/**
 * What real frontmatter never has. Among 3,000 of published skills, the most are 220 flow
 * indicators, 66 backslashes, 103 commas, 343 lines, 37 colons and 372 quotes. Nearly all have a
 * tenth of that, and need no YAML parser. A YAML parser takes quadratic time on some of these, so
 * that 64 KiB of `}]` cost it five seconds. Others cost many times as much as text: properties of
 * nodes (`&`, `*`, `!`), and colons, each of which may end a key.
 */
const limits = {
  indicators: 256,
  backslashes: 512,
  commas: 512,
  lines: 400,
  indentation: 100,
  colons: 128,
  properties: 128,
  quotes: 400,
} as const;

/** What nearly all real frontmatters keep to, of those that need a YAML parser at all. */
const ordinary: Readonly<Record<keyof typeof limits, number>> = {
  indicators: 16,
  backslashes: 32,
  commas: 24,
  lines: 32,
  indentation: 20,
  colons: 20,
  properties: 8,
  quotes: 48,
};
const ordinaryCharacters = 2_048;

/**
 * Why a frontmatter is not worth parsing; `undefined` if it is. One pass over the text, before a
 * parser sees it.
 *
 * @param yaml the text between the two lines `---`, with `\n` line ends
 */
export function frontmatterCost(yaml: string): string | undefined {
  if (isCertainlyCheap(yaml)) return undefined;
  const { indicators, backslashes, commas, lines, indentation, colons, properties, quotes } = countsOf(yaml);
  if (indicators > limits.indicators) return `it has ${indicators} brackets, and at most ${limits.indicators} are read`;
  if (backslashes > limits.backslashes) return `it has ${backslashes} backslashes, and at most ${limits.backslashes} are read`;
  if (commas > limits.commas) return `it has ${commas} commas, and at most ${limits.commas} are read`;
  if (colons > limits.colons) return `it has ${colons} colons, and at most ${limits.colons} are read`;
  if (properties > limits.properties) return `it has ${properties} signs of "&", "*" and "!", and at most ${limits.properties} are read`;
  if (quotes > limits.quotes) return `it has ${quotes} double quotes, and at most ${limits.quotes} are read`;
  if (lines > limits.lines) return `it has ${lines} lines, and at most ${limits.lines} are read`;
  if (indentation > limits.indentation) return `a line of it is indented by ${indentation}, and at most ${limits.indentation} are read`;
  return undefined;
}

/** Whether a frontmatter costs much more than nearly all real ones. */
export function isHeavyFrontmatter(yaml: string): boolean {
  if (yaml.length > ordinaryCharacters) return true;
  const counts = countsOf(yaml);
  return Object.entries(ordinary).some(([what, most]) => counts[what as keyof typeof limits] > most);
}

function countsOf(yaml: string): Readonly<Record<keyof typeof limits, number>> {
  let [indicators, backslashes, commas, lines, indentation, colons, properties, quotes] = [0, 0, 0, 1, 0, 0, 0, 0];
  let atStart = true;
  let blanks = 0;
  let dashes = 0;
  for (let index = 0; index < yaml.length; index += 1) {
    const unit = yaml.charCodeAt(index);
    if (unit === 0x0a) {
      // A line of nothing but dashes opens levels, too; one of blanks does not.
      if (atStart && dashes > 0) indentation = Math.max(indentation, blanks);
      lines += 1;
      atStart = true;
      blanks = 0;
      dashes = 0;
      continue;
    }
    const isDash = (unit === 0x2d || unit === 0x3f) && isBlankOrEnd(yaml.charCodeAt(index + 1));
    if (atStart && (unit === 0x20 || unit === 0x09 || isDash)) {
      blanks += 1;
      if (isDash) dashes += 1;
    } else {
      if (atStart) indentation = Math.max(indentation, blanks);
      atStart = false;
    }
    // [ ] { } \ ,
    if (unit === 0x5b || unit === 0x5d || unit === 0x7b || unit === 0x7d) indicators += 1;
    else if (unit === 0x5c) backslashes += 1;
    else if (unit === 0x2c) commas += 1;
    else if (unit === 0x22) quotes += 1;
    // & * !
    else if (unit === 0x26 || unit === 0x2a || unit === 0x21) properties += 1;
    else if (unit === 0x3a && isBlankOrEnd(yaml.charCodeAt(index + 1))) colons += 1;
  }
  if (atStart && dashes > 0) indentation = Math.max(indentation, blanks);
  return { indicators, backslashes, commas, lines, indentation, colons, properties, quotes };
}

/** Tells of nearly all frontmatter, by the engine's own search, that there is nothing to count. */
function isCertainlyCheap(yaml: string): boolean {
  // A line and a quote take one place each, a colon that counts takes two.
  if (yaml.length >= Math.min(limits.lines, limits.quotes, 2 * limits.colons)) return false;
  return !/[[\]{}\\&*!]/.test(yaml) && !/^[ \t?-]{50}/m.test(yaml);
}

/** A dash is one of a list only before a blank, or at the end of its line. */
function isBlankOrEnd(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0a || Number.isNaN(unit);
}
