import type { ClientSettings } from './client-settings.ts';

/** Settings for requests that editors repeat after each key: each is read once until it changes. */
export interface KnownSettings {
  of(uri: string): Promise<ClientSettings>;
  /** The client has told of changed settings. */
  changed(): void;
  forget(uri: string): void;
}

/** @param tellsChanges whether the client tells of changes; otherwise settings are read for each request. */
export function createKnownSettings(
  read: (uri: string) => Promise<ClientSettings>,
  tellsChanges: () => boolean,
): KnownSettings {
  const known = new Map<string, Promise<ClientSettings>>();
  return {
    of(uri) {
      if (!tellsChanges()) return read(uri);
      const settings = known.get(uri) ?? read(uri);
      known.set(uri, settings);
      return settings;
    },
    changed: () => known.clear(),
    forget: (uri) => void known.delete(uri),
  };
}
