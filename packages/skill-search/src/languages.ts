// Anything added here is public API.
export { chinese } from './languages/chinese.ts';
export { german } from './languages/german.ts';
export type { SearchLanguage } from './languages/search-language.ts';
export { spanish } from './languages/spanish.ts';
