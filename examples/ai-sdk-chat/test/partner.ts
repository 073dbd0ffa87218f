import { SkillRegistry, type SkillDefinition, type SkillProvider } from '@repertoire/skills-core';

/** A source of somebody else, whose skill changes from time to time. */
export interface Partner {
  readonly provider: SkillProvider;
  /** The partner publishes its next text. */
  change(): void;
}

const texts: readonly string[] = [
  '# Shipping\n\nAnswer in one sentence.\n\nParcels take three days.',
  '# Shipping\n\nAnswer in one sentence.\n\nParcels take five days.',
  '# Shipping\n\nAnswer in one sentence.\n\nParcels take nine days. <img src="x" alt="" />',
];

/** In a real application: `httpSkillProvider`, `mcpSkillProvider`, a folder of a vendor. */
export function openPartner(): Partner {
  let at = 0;
  const skill = (): SkillDefinition => ({
    name: 'shipping',
    description: 'Says how long parcels take. Use when a customer asks about a parcel.',
    body: texts[at % texts.length] ?? '',
    resources: { 'countries.md': `Version ${at}` },
  });
  const open = () => new SkillRegistry({ skills: [skill()], label: 'partner', trusted: false });
  let inner = open();
  return {
    change() {
      at += 1;
      inner = open();
    },
    provider: {
      label: 'partner',
      listSkills: (options) => inner.listSkills(options),
      getSkill: (...given) => inner.getSkill(...given),
      readResource: (...given) => inner.readResource(...given),
      contentOf: async (...given) => await inner.contentOf?.(...given),
    },
  };
}
