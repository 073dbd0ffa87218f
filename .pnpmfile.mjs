/**
 * What a packed package may not say. The condition `@repertoire/source` points at `src`, which lets this repository run and
 * type-check without a build; `src` is not packed, so neither is the condition.
 */
export const hooks = {
  beforePacking(manifest) {
    for (const [entry, target] of Object.entries(manifest.exports ?? {})) {
      if (typeof target !== 'object') continue;
      const { '@repertoire/source': _source, ...packed } = target;
      manifest.exports[entry] = packed;
    }
    delete manifest.devDependencies;
    delete manifest.scripts;
    return manifest;
  },
};
