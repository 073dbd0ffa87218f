/**
 * The names that the reference validator finds. Others are only found where the system does not
 * tell capitals from small letters.
 */
export function isSkillFileName(name: string): boolean {
  return name === 'SKILL.md' || name === 'skill.md';
}
