/** A section of a page that can be found. */
export interface SearchRecord {
  /** Its name as a skill. */
  readonly name: string;
  readonly title: string;
  /** The title of its page. */
  readonly page: string;
  /** Its address on the site. */
  readonly link: string;
  /** How it begins. */
  readonly excerpt: string;
}

/** Level 1 of a section as a skill. The build and the browser make the same, so that the browser takes the index for current. */
export function skillOf({ name, title, page }: SearchRecord): { name: string; description: string; version: string } {
  return { name, description: `${title}. ${page}.`, version: '1' };
}
