/** Every diagnostic of a search. Codes are public API: they are added, never renamed. */
export const skillSearchDiagnosticCodes = {
  'search-index-incomplete':
    'Not all skills had been read in the time that the search may wait. Those left out of the index are found by name and description only.',
  'search-listing-incomplete': 'The source says that it did not list everything.',
  'search-source-unavailable': 'The source could not be listed. The answer is of the library as it was listed last.',
  'search-skill-unread': 'The instructions of a skill could not be read. It is found by name and description only, and read again later.',
  'search-references-cut': 'Some references are not searched, since there are more than the limits allow.',
  'search-index-unusable': 'The index that was given cannot be used. The library is indexed anew.',
  'search-index-stale': 'The index that was given is of another state of the library. What differs was indexed anew, or is.',
  'search-query-cut': 'The request was longer than what is read of it.',
  'search-filter-failed': 'The filter threw. The skill that it was asked about is not shown.',
  'search-embedder-failed': 'The embedder failed or answered with something that are no vectors. The answer is by words.',
  'search-embedder-late': 'The embedder did not answer in time. The answer is by words.',
  'search-vectors-incomplete': 'Too few skills have vectors so far. The answer is by words.',
  'search-vector-cache-failed': 'The cache of vectors failed. The vectors were made anew, or are not kept.',
} as const;

/** One of the documented codes; see {@link skillSearchDiagnosticCodes}. */
export type SkillSearchDiagnosticCode = keyof typeof skillSearchDiagnosticCodes;
