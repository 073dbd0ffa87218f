export type Files = Readonly<Record<string, string>>;

export const when = 'Tunes slow queries of PostgreSQL. Use when a report or a page is slow.';
export const skill = (body: string, description = when, fields = ''): string =>
  `---\nname: a\ndescription: ${description}\n${fields === '' ? '' : `${fields}\n`}---\n\n${body}\n`;
export const body = (text: string, more: Files = {}): Files => ({ 'SKILL.md': skill(text), ...more });
export const field = (fields: string): Files => ({ 'SKILL.md': skill('Body.', when, fields) });
export const fenced = (text: string, language = ''): string => `\`\`\`${language}\n${text}\n\`\`\``;
