/** Reads a skill from the text of its files, puts it into an agent's hands, and reads one of the files. */
import { createSkillset } from '@repertoire/skills-core';
import { parseSkillMd, skillFromFiles } from '@repertoire/skills-core/skill-md';

const skillMd = `---
name: invoices
description: Writes invoices. Use when a customer wants one.
version: 1.10
---
# Invoices

Number them in order.
`;

const worker = {
  async fetch(): Promise<Response> {
    const parsed = parseSkillMd(skillMd);
    const { definition } = skillFromFiles({ 'SKILL.md': skillMd, 'assets/logo.svg': '<svg/>' }, { directoryName: 'invoices' });
    if (definition === null) throw new Error('The skill was not read.');
    const skillset = createSkillset({ skills: [definition] });
    const resource = await skillset.provider.readResource('invoices', 'assets/logo.svg');
    return Response.json({
      metadata: parsed.metadata,
      body: parsed.body,
      listed: (await skillset.open()).catalog.skills.map(({ name, version }) => [name, version]),
      resource: resource && [resource.mediaType, new TextDecoder().decode(resource.bytes)],
    });
  },
};
export default worker;
