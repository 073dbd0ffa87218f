/** Truncates two outputs to a total number of bytes. Standard output is kept first. */
export function cutOutput(
  stdout: string,
  stderr: string,
  maxBytes: number,
): { readonly stdout: string; readonly stderr: string; readonly cut: boolean } {
  const first = cut(stdout, maxBytes);
  const second = cut(stderr, maxBytes - first.bytes);
  return { stdout: first.text, stderr: second.text, cut: first.cut || second.cut };
}

function cut(text: string, maxBytes: number): { readonly text: string; readonly bytes: number; readonly cut: boolean } {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return { text, bytes: bytes.length, cut: false };
  // With `stream`, an incomplete character at the end is left out.
  const kept = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes.subarray(0, maxBytes), { stream: true });
  return { text: kept, bytes: maxBytes, cut: true };
}
