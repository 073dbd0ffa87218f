import type { LoadedSkill, SkillActivation, SkillEvent, SkillState } from './skill-state.ts';

/** A load has its text, the one that is restored, and a cut one. */
const maxTexts = 3;

/**
 * Folds events in time that grows with their number and that of the skills, not with the product.
 */
export class SkillStateFold {
  readonly #activation: SkillActivation;
  readonly #loaded: Map<string, LoadedSkill>;
  readonly #inContext = new Set<string>();
  /** How many skills have a rank, by the places in the conversation that they were loaded at. */
  readonly #ranks = new Map<number, Map<number | undefined, number>>();
  /** Ranks in ascending order; empty ones leave it when they are the last. */
  readonly #order: number[];
  #state: SkillState | undefined;

  constructor(state: SkillState, activation: SkillActivation = 'cumulative') {
    this.#activation = activation;
    this.#state = state;
    this.#loaded = new Map(Object.entries(state.loaded));
    for (const [name, entry] of this.#loaded) {
      this.#rank(entry);
      if (entry.inContext) this.#inContext.add(name);
    }
    this.#order = [...this.#ranks.keys()].sort((a, b) => a - b);
  }

  /** The state after all events so far; the same object as long as nothing changes. */
  get state(): SkillState {
    return (this.#state ??= { loaded: Object.fromEntries(this.#loaded) });
  }

  /** The entry of a skill that is loaded now. */
  get(name: string): LoadedSkill | undefined {
    return this.#loaded.get(name);
  }

  add(event: SkillEvent): this {
    switch (event.type) {
      case 'loaded':
        this.#load(event);
        break;
      case 'given':
        this.#change(event.name, (entry) => withText(entry, event.text));
        break;
      case 'unloaded':
        this.#delete(event.name);
        break;
      case 'changed':
        this.#change(event.name, (entry) => (entry.revision === event.revision ? { ...entry, changed: true } : entry));
        break;
      case 'compacted':
        // Each load and each text given leaves the context once.
        for (const name of event.names ?? this.#inContext) {
          this.#change(name, (entry) => (entry.inContext ? { ...entry, inContext: false } : entry));
        }
        break;
    }
    return this;
  }

  #load(event: Extract<SkillEvent, { type: 'loaded' }>): void {
    const previous = this.#loaded.get(event.name);
    const texts = event.texts ?? previous?.texts;
    if (texts === undefined) return;
    const renewals = (previous?.renewals ?? 0) + (event.renewed === true ? 1 : 0);
    const entry: LoadedSkill = {
      source: event.source ?? '',
      ...(event.place !== undefined && { place: event.place }),
      version: event.version ?? null,
      ...(event.content !== undefined && { content: event.content }),
      revision: event.revision,
      texts: texts.slice(0, maxTexts),
      ...(event.arguments !== undefined && { arguments: event.arguments }),
      sequence: this.#sequenceOf(event, previous),
      inContext: true,
      ...(event.untrusted === true && { untrusted: true }),
      ...(event.at !== undefined && { at: event.at }),
      ...(event.approval !== undefined && { approval: event.approval }),
      ...(renewals > 0 && { renewals }),
    };
    // Loading an unchanged skill again (a replay, a second parallel call) is a no-op.
    if (previous !== undefined && isSameLoad(previous, entry)) return;
    if (previous !== undefined) this.#unrank(previous);
    this.#set(event.name, entry);
    this.#rank(entry);
    if (this.#order.at(-1) !== entry.sequence) this.#order.push(entry.sequence);
    if (this.#activation === 'single') this.#keepLast();
  }

  /** Of those that one step loads, the last by name stays. */
  #keepLast(): void {
    const [last] = [...this.#loaded].sort(([nameA, a], [nameB, b]) => b.sequence - a.sequence || (nameA < nameB ? 1 : -1));
    for (const name of this.#loaded.keys()) if (name !== last?.[0]) this.#delete(name);
  }

  #set(name: string, entry: LoadedSkill): void {
    this.#loaded.set(name, entry);
    if (entry.inContext) this.#inContext.add(name);
    else this.#inContext.delete(name);
    this.#state = undefined;
  }

  #delete(name: string): void {
    const entry = this.#loaded.get(name);
    if (entry === undefined) return;
    this.#loaded.delete(name);
    this.#inContext.delete(name);
    this.#unrank(entry);
    this.#state = undefined;
  }

  #rank({ sequence, at }: LoadedSkill): void {
    const places = this.#ranks.get(sequence) ?? new Map<number | undefined, number>();
    this.#ranks.set(sequence, places.set(at, (places.get(at) ?? 0) + 1));
  }

  #unrank({ sequence, at }: LoadedSkill): void {
    const places = this.#ranks.get(sequence);
    const left = (places?.get(at) ?? 0) - 1;
    if (left > 0) places?.set(at, left);
    else places?.delete(at);
    if (places?.size === 0) this.#ranks.delete(sequence);
    while (this.#order.length > 0 && !this.#ranks.has(this.#order.at(-1) ?? 0)) this.#order.pop();
  }

  #change(name: string, change: (entry: LoadedSkill) => LoadedSkill): void {
    const entry = this.#loaded.get(name);
    const next = entry && change(entry);
    if (next === undefined || next === entry) return;
    // A seal is of the entry as it was.
    const { seal: _seal, ...unsealed } = next;
    this.#set(name, unsealed);
  }

  /** Calls of one step share a rank: else it would depend on which ends first. */
  #sequenceOf({ at }: { readonly at?: number | undefined }, previous: LoadedSkill | undefined): number {
    const last = this.#order.at(-1) ?? 0;
    const atPlace = this.#ranks.get(last)?.get(at) ?? 0;
    const isOwn = previous?.sequence === last && previous.at === at;
    return at !== undefined && atPlace > (isOwn ? 1 : 0) ? last : last + 1;
  }
}

function withText(entry: LoadedSkill, text: string): LoadedSkill {
  const isCut = text.startsWith('~');
  if (entry.inContext && entry.texts.includes(text) && (entry.cut === true) === isCut) return entry;
  const { cut: _cut, ...rest } = entry;
  // The first one is that of the load; of several cut ones, the newest may stand.
  const texts = entry.texts.includes(text) ? entry.texts : [...entry.texts.slice(0, maxTexts - 1), text];
  return { ...rest, texts, inContext: true, ...(isCut && { cut: true as const }) };
}

function isSameLoad(a: LoadedSkill, b: LoadedSkill): boolean {
  return (
    a.inContext &&
    a.changed !== true &&
    a.cut !== true &&
    a.revision === b.revision &&
    a.version === b.version &&
    a.content === b.content &&
    a.place === b.place &&
    a.arguments === b.arguments &&
    a.at === b.at &&
    a.approval === b.approval &&
    a.renewals === b.renewals &&
    b.texts.every((text) => a.texts.includes(text))
  );
}

/**
 * Returns the state after one more event. Pure; returns the same object if nothing changes.
 *
 * @example
 * ```ts
 * import { emptySkillState } from '@repertoire/skills-core';
 * import { reduceSkillState } from '@repertoire/skills-core/adapter';
 *
 * const loaded = reduceSkillState(emptySkillState, { type: 'loaded', name: 'billing', revision: '1f', texts: ['2e'] });
 * const after = reduceSkillState(loaded, { type: 'unloaded', name: 'billing' }); // nothing is loaded
 * ```
 */
export function reduceSkillState(state: SkillState, event: SkillEvent, activation: SkillActivation = 'cumulative'): SkillState {
  return foldSkillEvents(state, [event], activation);
}

/** The state after these events, folded at once. */
export function foldSkillEvents(state: SkillState, events: readonly SkillEvent[], activation?: SkillActivation): SkillState {
  const fold = new SkillStateFold(state, activation);
  for (const event of events) fold.add(event);
  return fold.state;
}
