// Shared by packages of this repository. Any release may change or remove it.
export { frontmatterExtensionUri } from './card-metadata.ts';
export { maxCardCharacters } from './parse-skill-card.ts';
export { metadataWithCard } from './with-skill-cards.ts';
