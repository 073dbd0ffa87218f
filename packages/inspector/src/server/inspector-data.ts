import { SkillError, type Skill, type SkillProvider } from '@repertoire/skills-core';
import { readSkillMd } from '@repertoire/skills-core/provider';
import { lockedProvider } from '@repertoire/skill-trust/lock';
import { likenessMap, type LikenessMap } from '../library/likeness-map.ts';
import { readFileText } from '../library/read-file.ts';
import { readLibrary, skillView, type Library, type ReadLibraryOptions } from '../library/read-library.ts';
import { searchLibrary, type LibrarySearch, type SearchHit } from '../library/search-library.ts';
import type { FileText, LibraryView, SkillView } from '../library/views.ts';
import { readApprovals } from '../review/read-approvals.ts';
import { listProposals, readProposal } from '../review/read-proposals.ts';
import type { ApprovalsView, ProposalsView, ProposalView } from '../review/views.ts';
import { defaultSettings, readSettings, skillsetOf, type PromptSettings } from '../prompt/prompt-settings.ts';
import { promptView, type PromptView } from '../prompt/prompt-view.ts';
import type { Recording } from '../recording/recording.ts';
import { packReplay, type PackedReplay } from '../replay/pack-replay.ts';
import { fillAnswers } from '../replay/fill-answers.ts';
import { replayRecording } from '../replay/replay-recording.ts';
import type { SkillOverlay } from '../replay/overlay-provider.ts';
import { timelineOf, type Timeline } from '../timeline/timeline.ts';
import type { InspectorOptions } from './start-inspector.ts';

/** Everything that the page asks for. Cached until {@link InspectorData.refresh}. */
export interface InspectorData {
  /** The source, held to the lock if there is one. */
  readonly provider: SkillProvider;
  readonly defaults: PromptSettings;
  library(settings: PromptSettings): Promise<LibraryView>;
  skill(name: string): Promise<SkillView | null>;
  file(name: string, path: string): Promise<FileText | null>;
  search(query: string): Promise<readonly SearchHit[]>;
  likeness(): Promise<LikenessMap>;
  prompt(settings: PromptSettings): Promise<PromptView>;
  timeline(recording: Recording, settings: PromptSettings): Promise<Timeline>;
  replay(recording: Recording, settings: PromptSettings, overlay?: SkillOverlay): Promise<PackedReplay>;
  /** What people approved, read anew; `null` without a store of approvals. */
  approvals(): Promise<ApprovalsView | null>;
  /** What agents proposed, read anew; `null` without a store of proposals. */
  proposals(): Promise<ProposalsView | null>;
  proposal(id: string): Promise<ProposalView | null>;
  /** Forgets what was read, after a change. */
  refresh(): void;
}

/** What the data is read from. */
export interface InspectorDataOptions extends Omit<InspectorOptions, 'recordings' | 'port'> {
  readonly signal: AbortSignal;
  /** Is told how many skills of the library were read. */
  readonly onProgress?: ((read: number, total: number) => void) | undefined;
}

/** @throws {SkillError} `invalid-options` for a setting that cannot be used */
export function inspectorData({ lock, settings: chosen, ...options }: InspectorDataOptions): InspectorData {
  const { approvals, proposals, signal } = options;
  const provider = lock === undefined ? options.provider : lockedProvider(options.provider, lock);
  const defaults = readSettings({ ...defaultSettings, ...chosen });
  const libraries = new Libraries(provider, { ...options, locked: lock !== undefined });
  let search: Promise<LibrarySearch> | undefined;
  let map: Promise<LikenessMap> | undefined;
  const skillsOf = async () => [...(await libraries.read(defaults)).skills.values()];

  return {
    provider,
    defaults,
    library: async (settings) => (await libraries.read(settings)).view,
    async skill(name) {
      const library = await libraries.read(defaults);
      const skill = skillNamed(library, name);
      if (skill === undefined) return null;
      const { bytes } = await readSkillMd(provider, skill, { signal });
      return skillView(library, skill.name, new TextDecoder().decode(bytes));
    },
    async file(name, path) {
      const skill = skillNamed(await libraries.read(defaults), name);
      return skill === undefined ? null : await readFileText(provider, skill.name, skill.version, path, signal);
    },
    async search(query) {
      search ??= skillsOf().then((skills) => searchLibrary(provider, skills));
      return await (await search).search(query, signal);
    },
    likeness: async () => await (map ??= skillsOf().then(likenessMap)),
    prompt: async (settings) => await promptView(provider, settings, signal),
    async timeline(recording, settings) {
      const skillset = skillsetOf(provider, settings);
      return await timelineOf(await fillAnswers(recording, skillset, settings, signal), {
        skillset,
        session: await skillset.open({ signal }),
      });
    },
    async replay(recording, settings, overlay) {
      if (!recording.hasTexts)
        throw new SkillError(
          'invalid-options',
          'This recording has no texts, so nothing can be replayed. Record messages as well as events or spans.',
        );
      return packReplay(await replayRecording(provider, recording, { settings, overlay, signal }));
    },
    approvals: async () => (approvals === undefined ? null : await readApprovals(approvals, provider, await skillsOf(), signal)),
    proposals: async () =>
      proposals === undefined ? null : await listProposals(proposals, { provider, skills: await skillsOf() }, signal),
    proposal: async (id) =>
      proposals === undefined ? null : await readProposal(proposals, id, { provider, skills: await skillsOf() }, signal),
    refresh() {
      void search?.then((each) => each.dispose()).catch(() => undefined);
      libraries.forget();
      [search, map] = [undefined, undefined];
    },
  };
}

/** The library as each settings show it. */
class Libraries {
  readonly #provider: SkillProvider;
  readonly #options: Omit<ReadLibraryOptions, 'settings'>;
  readonly #read = new Map<string, Promise<Library>>();

  constructor(provider: SkillProvider, options: Omit<ReadLibraryOptions, 'settings'>) {
    this.#provider = provider;
    this.#options = options;
  }

  read(settings: PromptSettings): Promise<Library> {
    // What a model gets its skills through changes nothing in the library.
    const key = JSON.stringify({ ...settings, framework: 'core', instructions: '' });
    const known = this.#read.get(key);
    if (known !== undefined) return known;
    if (this.#read.size >= 8) this.forget();
    const library = readLibrary(this.#provider, { ...this.#options, settings });
    this.#read.set(key, library);
    // What failed is tried again.
    library.catch(() => this.#read.delete(key));
    return library;
  }

  forget(): void {
    this.#read.clear();
  }
}

function skillNamed({ skills }: Library, name: string): Skill | undefined {
  return skills.get(name) ?? [...skills.values()].find((skill) => skill.name.toWellFormed() === name);
}
