import { resolve } from 'node:path';
import { readAuthSettings, type AuthSettings } from './auth-settings.ts';
import type { SettingsReader } from '../settings-reader.ts';
import type { Settings } from '../source-settings.ts';
import type { RateLimitSettings } from './rate-limit.ts';

/** HTTP connection settings shared by all HTTP sources, with resolved secrets. */
export interface ConnectionConfig {
  readonly auth: AuthSettings;
  readonly connectTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly pace: RateLimitSettings;
  /** Address of a proxy, or `none`. */
  readonly proxy?: string | undefined;
  /** Absolute path of a PEM file with additional authorities. */
  readonly ca?: string | undefined;
}

/** Parses them. Throws a `source-config` error that names the setting. */
export function readConnectionConfig(
  settings: Settings,
  read: SettingsReader,
  { folder, requestTimeoutMs }: { readonly folder: string; readonly requestTimeoutMs: number },
): ConnectionConfig {
  const timeouts = read.group(settings, 'timeouts') ?? {};
  const budget = read.count(settings, 'requestBudget');
  const proxy = read.text(settings, 'proxy');
  const ca = read.text(settings, 'ca');
  return {
    auth: readAuthSettings(settings, read, folder),
    connectTimeoutMs: read.duration(timeouts, 'connect', 'timeouts.') ?? 10_000,
    requestTimeoutMs: read.duration(timeouts, 'request', 'timeouts.') ?? requestTimeoutMs,
    pace: { delayMs: read.duration(settings, 'requestDelay') ?? 0, budget },
    proxy,
    ...(ca !== undefined && { ca: resolve(folder, ca) }),
  };
}
