import { isJsonObject, maxCompatibilityLength, maxDescriptionLength, maxSkillNameLength } from '@repertoire/skills-core/internal';

/** Violations of the standard's rules, for which official clients reject an entry. */
export function entryProblems(frontmatter: Readonly<Record<string, unknown>>, folder: string): string[] {
  const { name, description, compatibility, metadata } = frontmatter;
  const problems: string[] = [];
  if (typeof name !== 'string' || name.length > maxSkillNameLength || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
    problems.push(`the name ${show(name)} is not 1 to 64 of a-z, 0-9 and single hyphens`);
  } else if (name !== folder) {
    problems.push(`the name ${show(name)} is not that of the folder, ${show(folder)}`);
  }
  if (typeof description !== 'string' || description === '' || lengthOf(description) > maxDescriptionLength) {
    problems.push('the description is not a text of 1 to 1024 characters');
  }
  if (
    compatibility !== undefined &&
    (typeof compatibility !== 'string' || compatibility === '' || lengthOf(compatibility) > maxCompatibilityLength)
  ) {
    problems.push('compatibility is not a text of 1 to 500 characters');
  }
  if (metadata !== undefined && !(isJsonObject(metadata) && Object.values(metadata).every((value) => typeof value === 'string'))) {
    problems.push('metadata is not a map of text to text');
  }
  return problems;
}

function lengthOf(text: string): number {
  // A text never has more characters than UTF-16 units.
  return text.length > maxDescriptionLength * 2 ? text.length : [...text].length;
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 100);
}
