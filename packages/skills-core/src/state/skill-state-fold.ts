import type { LoadedSkill, SkillActivation, SkillEvent, SkillState } from './skill-state.ts';

/** A load has its text, the one that is put back, and a cut one. */
const maxTexts = 3;

/** Folds many events in linear time. For one event, use `reduceSkillState`. */
export class SkillStateFold {
  readonly #activation: SkillActivation;
  readonly #loaded: Map<string, LoadedSkill>;
  /** The highest rank, and its skills, so that an event need not look at all. */
  #last = 0;
  #atLast = new Map<string, number | undefined>();
  #state: SkillState | undefined;

  constructor(state: SkillState, activation: SkillActivation = 'cumulative') {
    this.#activation = activation;
    this.#loaded = new Map(Object.entries(state.loaded));
    this.#state = state;
    this.#rank();
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
        if (this.#loaded.delete(event.name)) {
          this.#state = undefined;
          if (this.#atLast.delete(event.name) && this.#atLast.size === 0) this.#rank();
        }
        break;
      case 'changed':
        this.#change(event.name, (entry) => (entry.revision === event.revision ? { ...entry, changed: true } : entry));
        break;
      case 'compacted':
        for (const name of event.names ?? [...this.#loaded.keys()]) {
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
      sequence: this.#sequenceOf(event),
      inContext: true,
      ...(event.untrusted === true && { untrusted: true }),
      ...(event.at !== undefined && { at: event.at }),
      ...(event.approval !== undefined && { approval: event.approval }),
      ...(renewals > 0 && { renewals }),
    };
    // Loading an unchanged skill again (a replay, a second parallel call) is a no-op.
    if (previous !== undefined && isSameLoad(previous, entry)) return;
    this.#loaded.set(event.name, entry);
    if (this.#activation === 'single') this.#keepLast();
    else this.#ranked(event.name, entry);
    this.#state = undefined;
  }

  /** Of those that one step loads, the last by name stays. */
  #keepLast(): void {
    const [last] = [...this.#loaded].sort(([nameA, a], [nameB, b]) => b.sequence - a.sequence || (nameA < nameB ? 1 : -1));
    this.#loaded.clear();
    if (last !== undefined) this.#loaded.set(...last);
    this.#rank();
  }

  #rank(): void {
    this.#last = 0;
    this.#atLast.clear();
    for (const [name, entry] of this.#loaded) this.#ranked(name, entry);
  }

  #ranked(name: string, { sequence, at }: LoadedSkill): void {
    if (sequence < this.#last) return;
    if (sequence > this.#last) this.#atLast.clear();
    this.#last = sequence;
    this.#atLast.set(name, at);
  }

  #change(name: string, change: (entry: LoadedSkill) => LoadedSkill): void {
    const entry = this.#loaded.get(name);
    const next = entry && change(entry);
    if (next === undefined || next === entry) return;
    // A seal is of the entry as it was.
    const { seal: _seal, ...unsealed } = next;
    this.#loaded.set(name, unsealed);
    this.#state = undefined;
  }

  /** Calls of one step share a rank: else it would depend on which ends first. */
  #sequenceOf({ name, at }: { readonly name: string; readonly at?: number | undefined }): number {
    if (at === undefined) return this.#last + 1;
    for (const [other, place] of this.#atLast) if (other !== name && place === at) return this.#last;
    return this.#last + 1;
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
 * The fold: the state after one more event. Pure; returns the same object if nothing changes.
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
  return new SkillStateFold(state, activation).add(event).state;
}
