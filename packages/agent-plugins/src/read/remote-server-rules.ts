/** What is wrong with a server's URL (section 7.2.1), or `null`. The text follows "its url". */
export function urlProblem(written: string): string | null {
  // `URL` would repair such a text, but it is not an absolute URL.
  if (!/^https?:\/\/[^/]/i.test(written) || /[\s\\\u0000-\u001F]/.test(written)) return 'is no absolute http or https URL';
  if (written.includes('#')) return 'has a fragment';
  const authority = /^https?:\/\/([^/?]*)/i.exec(written)?.[1] ?? '';
  if (authority.includes('@')) return 'names a user';
  if (!URL.canParse(written)) return 'is no URL';
  const { protocol, hostname } = new URL(written);
  if (protocol === 'http:' && !isLoopback(hostname)) return `is http, and ${hostname} is not this machine`;
  return null;
}

/** Whether a host is `localhost` or a loopback IP literal, as URLs spell them. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** What is wrong with headers; `null` if nothing is. The text follows "its headers". */
export function headersProblem(headers: Readonly<Record<string, string>>): string | null {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return `have the name ${JSON.stringify(name)}, which no header has`;
    if (!/^[\t\u0020-\u007E\u0080-\u00FF]*$/.test(value)) return `have a value that no header has (${name})`;
    if (seen.has(name.toLowerCase())) return `name ${name.toLowerCase()} twice`;
    seen.add(name.toLowerCase());
  }
  return null;
}
