/** The names that the reference validator finds, on disks that ignore case. */
export function isSkillFileName(name: string): boolean {
  return name === 'SKILL.md' || name === 'skill.md';
}
