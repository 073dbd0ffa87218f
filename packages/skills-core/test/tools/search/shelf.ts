import {
  createSkillset,
  skillDiscovery,
  SkillRegistry,
  type SkillActivity,
  type SkillDefinition,
  type SkillDiagnostic,
  type SkillSearch,
  type SkillsetOptions,
} from '@repertoire/skills-core';
import type { SkillDiscoveryOptions } from '../../../src/tools/search/discover-skills.ts';
import type { SkillSearchRequest } from '@repertoire/skills-core/provider';
import type { SkillCandidate } from '@repertoire/skills-core/internal';

/** A search that finds what it is told to find, and keeps what it was asked. */
export class Shelf implements SkillSearch {
  readonly asked: { readonly query: string; readonly request: SkillSearchRequest }[] = [];
  candidates: readonly SkillCandidate[] = [];
  diagnostics: readonly SkillDiagnostic[] = [];
  partial = false;

  async search(query: string, request: SkillSearchRequest = {}) {
    this.asked.push({ query, request });
    return await Promise.resolve({
      candidates: this.candidates,
      mode: 'words' as const,
      partial: this.partial,
      diagnostics: this.diagnostics,
    });
  }

  holds(...found: readonly (string | (Partial<SkillCandidate> & { readonly name: string }))[]): this {
    this.candidates = found.map((given) => ({
      version: null,
      description: 'What the index says.',
      score: 1,
      by: 'words',
      matches: [],
      origin: undefined,
      ...(typeof given === 'string' ? { name: given } : given),
    }));
    return this;
  }
}

export const refunds: SkillDefinition = {
  name: 'refunds',
  description: 'Gives money back. Use when a customer wants a refund.',
  body: 'Check the order.',
};
export const invoices: SkillDefinition = { name: 'invoices', description: 'Drafts and checks invoices.', body: 'Numbers never have gaps.' };

/** A skillset that searches a shelf, with what it told. */
export function openShelf<Context = undefined>(
  search: SkillSearch,
  options: Partial<SkillsetOptions<Context>> = {},
  discovery: SkillDiscoveryOptions = {},
): {
  readonly skillset: ReturnType<typeof createSkillset<Context>>;
  readonly events: SkillActivity[];
  readonly diagnostics: SkillDiagnostic[];
} {
  const events: SkillActivity[] = [];
  const diagnostics: SkillDiagnostic[] = [];
  const skillset = createSkillset<Context>({
    provider: new SkillRegistry({ skills: [refunds, invoices] }),
    discovery: skillDiscovery(search, discovery),
    onEvent: (event) => events.push(event),
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  return { skillset, events, diagnostics };
}
