/** Before the host of a URL. Greedy, since a password may hold an `@` itself. */
const userInfo = /\/\/[^\s/?#"'<>]*@/g;
const query = /(https?:\/\/[^\s?#"'<>]*)\?[^\s#"'<>]+/gi;

/** A text for people and programs without what URLs in it may keep secret: a name and a password, and a query, which holds tokens and signatures. */
export function withoutCredentials(text: string): string {
  if (!text.includes('//')) return text;
  return text.replace(userInfo, '//…@').replace(query, '$1?…');
}
