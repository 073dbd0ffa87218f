/** Whether a JSON value is longer than `limit`. Stops there, without deep recursion. */
export function isLongerThan(value: unknown, limit: number): boolean {
  let room = limit;
  const take = (part: unknown, depth: number): boolean => {
    if (typeof part === 'string') room -= part.length + 2;
    else if (typeof part !== 'object' || part === null) room -= 5;
    else {
      room -= 2;
      if (depth > 64) return false;
      for (const key in part) {
        room -= Array.isArray(part) ? 1 : key.length + 4;
        if (room < 0 || !take((part as Record<string, unknown>)[key], depth + 1)) return false;
      }
    }
    return room >= 0;
  };
  return !take(value, 0);
}
