/**
 * Returns a name for a tool that a skill brings: one that is free, and that model APIs accept (1 to
 * 64 letters, digits, `_` and `-`). It is the tool's own where that is free, else the name with its
 * server or skill in front, else that with a number behind.
 */
export function freeToolName(name: string, prefix: string, taken: ReadonlySet<string>): string {
  const own = accepted(name).slice(0, 64);
  if (!taken.has(own)) return own;
  const prefixed = accepted(`${prefix}__${name}`).slice(0, 64);
  for (let count = 2; ; count += 1) {
    const candidate = count === 2 ? prefixed : `${prefixed.slice(0, 60)}_${count}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function accepted(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_');
}
