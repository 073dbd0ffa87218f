/** Name and password of a URL. It matches up to the last `@`, since a password may contain one. */
const userInfo = /\/\/[^\s/?#"'<>]*@/g;
const url = /https?:\/\/[^\s"'<>]+/gi;

/** The text without names, passwords and queries of URLs in it. */
export function withoutCredentials(text: string): string {
  if (!text.includes('//')) return text;
  return text.replace(userInfo, '//…@').replace(url, withoutQuery);
}

function withoutQuery(link: string): string {
  const [address = '', ...fragment] = link.split('#');
  const query = address.indexOf('?');
  if (query === -1 || query === address.length - 1) return link;
  return [`${address.slice(0, query)}?…`, ...fragment].join('#');
}
