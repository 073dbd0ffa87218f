/** The contract's order of text: by UTF-16 code units, whatever the locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
