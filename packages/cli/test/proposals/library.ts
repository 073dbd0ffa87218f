import { SkillRegistry, type SkillDefinition, type SkillProvider } from '@repertoire/skills-core';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';

/** The library that proposals are planted for. */
export const libraryFiles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'customer-refunds': {
    'SKILL.md': skillMd(
      'customer-refunds',
      'Pays a customer back after a wrong or double charge. Use when money has to go back to a customer.',
      '# Refunds\n\n1. Look the order up by its id.\n2. Compare the charge with the invoice.\n3. Ask the person for confirmation, then pay the amount back.\n4. Write the reason into the order.\n\nSee references/limits.md for the amounts that a person has to release.',
      'allowed-tools: Read',
    ),
    'references/limits.md':
      '# Limits\n\nUp to 50 euros at once. Above that, ask the team lead.\n\nAbove 500 euros, ask the head of finance.\n',
    'evals/evals.json': JSON.stringify({ skill_name: 'customer-refunds', evals: [] }),
    'evals/trigger-evals.json': JSON.stringify([
      { query: 'The customer was charged twice, pay the money back', should_trigger: true },
      { query: 'Give this customer the wrong charge back', should_trigger: true },
    ]),
  },
  'release-notes': {
    'SKILL.md': skillMd(
      'release-notes',
      'Writes release notes from merged pull requests. Use before a version is published.',
      '# Release notes\n\n1. Run `git log` since the last tag.\n2. Group the changes: new, fixed, removed.\n3. Name who has to do something.\n4. Keep each line to one sentence.\n',
    ),
    'evals/trigger-evals.json': JSON.stringify([{ query: 'Write the release notes for the merged pull requests', should_trigger: true }]),
  },
  'invoice-check': {
    'SKILL.md': skillMd(
      'invoice-check',
      'Checks an invoice of a supplier against its order. Use when an invoice arrives.',
      '# Invoices\n\n1. Read the number and the sum.\n2. Find the order.\n3. Compare each line and the tax.\n4. Say what differs.\n\nNever pay an invoice yourself.\n',
    ),
  },
  'support-tone': {
    'SKILL.md': skillMd(
      'support-tone',
      'Says how answers to customers sound. Use when a reply to a customer is written.',
      '# Tone\n\n- Short sentences.\n- Say what happens next.\n- Apologize once.\n- No jokes about money.\n',
    ),
  },
};

export function skillMd(name: string, description: string, body: string, fields = ''): string {
  return `---\nname: ${name}\ndescription: ${description}\n${fields === '' ? '' : `${fields}\n`}---\n\n${body.trim()}\n`;
}

export function providerOf(library: Readonly<Record<string, Readonly<Record<string, string>>>>): SkillProvider {
  const skills = Object.entries(library).flatMap(([directoryName, files]): SkillDefinition[] => {
    const { definition } = skillFromFiles(files, { directoryName });
    return definition === null ? [] : [definition];
  });
  return new SkillRegistry({ skills, label: 'library' });
}
