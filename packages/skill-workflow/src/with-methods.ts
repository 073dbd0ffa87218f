/**
 * The same object with some of its methods replaced. The others stay bound to it, as private fields
 * need.
 */
export function withMethods<Target extends object>(target: Target, changed: Partial<Target>): Target {
  return new Proxy(target, {
    get(own, key) {
      if (Object.hasOwn(changed, key)) return changed[key as keyof Target];
      const value: unknown = Reflect.get(own, key, own);
      return typeof value === 'function' ? (value.bind(own) as unknown) : value;
    },
  });
}
