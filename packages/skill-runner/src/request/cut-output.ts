/** Cuts a text to a number of bytes of UTF-8, at a whole character. */
export function cutToBytes(text: string, maxBytes: number): { readonly text: string; readonly cut: boolean } {
  // A UTF-16 unit has at most three bytes.
  if (text.length * 3 <= maxBytes) return { text, cut: false };
  const bytes = new TextEncoder().encode(text.slice(0, maxBytes + 1));
  if (bytes.length <= maxBytes && text.length <= maxBytes + 1) return { text, cut: false };
  // With `stream`, an incomplete character at the end is left out.
  const head = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes.subarray(0, maxBytes), { stream: true });
  return { text: head, cut: true };
}

/** Truncates two outputs to a total number of bytes. Standard output is kept first. */
export function cutOutput(
  stdout: string,
  stderr: string,
  maxBytes: number,
): { readonly stdout: string; readonly stderr: string; readonly cut: boolean } {
  const first = cutToBytes(stdout, maxBytes);
  const second = cutToBytes(stderr, first.cut ? 0 : maxBytes - new TextEncoder().encode(first.text).length);
  return { stdout: first.text, stderr: second.text, cut: first.cut || second.cut };
}
