import { estimateTokenCount } from 'tokenx';
import type { SurfaceModeContext } from '../catalog/surface/resolve-surface-mode.ts';
import type { SkillDiagnostic, SkillListing, SkillProvider } from '../contract/skill-provider.ts';
import type { SkillActivity } from '../events/skill-activity.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';
import { rememberedContents, type RememberedContents } from '../tools/pinned/remembered-contents.ts';
import { CatalogMemo } from './catalog-memo.ts';
import type { SkillsetOptions } from './skillset-options.ts';

/** A skillset's options with what follows from them. Nothing of a conversation is in it. */
export interface SkillsetPolicy<Context> {
  readonly options: SkillsetOptions<Context>;
  readonly provider: SkillProvider;
  readonly names: SkillToolNames;
  readonly modes: SurfaceModeContext;
  readonly memo: CatalogMemo;
  /** A cache of what conversations loaded. */
  readonly contents: RememberedContents;
  /** Listings whose diagnostics were told already. */
  readonly told: WeakSet<SkillListing>;
  readonly countTokens: (text: string) => number;
  readonly emit: (activity: SkillActivity) => void;
  readonly report: (diagnostic: SkillDiagnostic, isHeard?: boolean) => void;
}

export function skillsetPolicy<Context>(
  options: SkillsetOptions<Context>,
  provider: SkillProvider,
  names: SkillToolNames,
  report: (diagnostic: SkillDiagnostic, isHeard?: boolean) => void,
): SkillsetPolicy<Context> {
  const countTokens = options.countTokens ?? estimateTokenCount;
  const { discovery, surface = {} } = options;
  const modes: SurfaceModeContext = { mode: surface.mode ?? 'system-prompt', ...surface.model };
  const finders = [...(discovery === undefined ? [] : [names.search]), ...(surface.tools === 'full' ? [names.list] : [])];
  const emit = (activity: SkillActivity): void => {
    try {
      options.onEvent?.(activity);
    } catch {
      // A listener that breaks must not break the agent.
    }
  };
  return {
    options,
    provider,
    names,
    modes,
    memo: new CatalogMemo(
      { names, options: options.catalog ?? {}, surface: modes, finders, countTokens, fitter: discovery },
      (skills, { tokens, cut }) => emit({ type: 'catalog_built', skills: skills.length, tokens, ...cut }),
    ),
    contents: rememberedContents(options.conversation?.contentStore, (thrown) => report(contentStoreFailed(thrown))),
    told: new WeakSet(),
    countTokens,
    emit,
    report,
  };
}

function contentStoreFailed(thrown: unknown): SkillDiagnostic {
  return {
    code: 'content-store-failed',
    severity: 'warning',
    message: `The store of contents failed: ${String(thrown)}. Loaded skills are read from their source instead.`,
    fix: 'Look at `conversation.contentStore` of createSkillset. It must return what was stored under a revision, or nothing.',
  };
}
