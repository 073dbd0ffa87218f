// Shared by packages of this repository. Any release may change or remove it.
export { openCard, readCard } from './read-card.ts';
