// Anything added here is public API.
export { routedLibrary, type RoutedLibrary, type RoutedLibraryOptions } from './routing/routed-library.ts';
export { routingMatchers } from './routing/routing-matchers.ts';
