import { mutants as conversation } from './core-conversation.ts';
import { mutants as sources } from './core-sources.ts';
import { mutants as texts } from './core-texts.ts';
import type { Mutant } from './mutant.ts';

/** Mutants of the core: what it decides, what it shows, what it keeps. */
export const mutants: readonly Mutant[] = [...conversation, ...texts, ...sources];
