import type { PromptSettings } from './prompt-settings.ts';

/** The settings that differ, as texts for an address. Pure. */
export function changedSettings(settings: PromptSettings, from: PromptSettings): Record<string, string> {
  const entries = Object.entries(settings) as [keyof PromptSettings, PromptSettings[keyof PromptSettings]][];
  return Object.fromEntries(entries.filter(([name, value]) => value !== from[name]).map(([name, value]) => [name, String(value)]));
}

/** Settings of an address; missing or wrong ones are taken from `from`. */
export function settingsOfQuery(query: Readonly<Record<string, string>>, from: PromptSettings): PromptSettings {
  const settings: Record<string, unknown> = { ...from };
  for (const [name, before] of Object.entries(from)) {
    const value = query[name];
    if (value === undefined) continue;
    if (typeof before !== 'number') settings[name] = value;
    else if (Number.isFinite(Number(value))) settings[name] = Number(value);
  }
  return settings as unknown as PromptSettings;
}
