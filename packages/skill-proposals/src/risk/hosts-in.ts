/** Hosts of URLs, and addresses in numbers. */
export function hostsIn(line: string): string[] {
  // recheck: each part is bounded.
  const urls = Array.from(line.matchAll(/\b(?:https?|wss?|ftp):\/\/([^\s/"'`<>)\]]{1,253})/gi), ([, host = '']) =>
    host
      .toLowerCase()
      .replace(/^[^@]{0,200}@/, '')
      .replace(/[.,;:!?]{1,3}$/, ''),
  );
  const numbers = Array.from(line.matchAll(/\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/g), ([address]) => address);
  return [...urls, ...numbers];
}
