import type { Connection } from 'vscode-languageserver/node';
import type { NetworkSettings } from '../connectors/connector-context.ts';

/** The settings `entityGraph.*` that the server reads; `package.json` describes them. */
export interface ClientSettings {
  /** Row limit of Test Query; default: the server's limit. */
  readonly previewRows?: number | undefined;
  /** Time limit of Test Query in milliseconds; default: the source's setting. */
  readonly queryTimeoutMs?: number | undefined;
  /** Whether a source may be read in the background to learn its columns. */
  readonly readCatalogInBackground: boolean;
  /** Whether to show column types after their names. */
  readonly showColumnTypes: boolean;
  /** Whether to show entity counts of the last import after activity names. */
  readonly showEntityCounts: boolean;
}

/** Reads the settings for a file, with defaults. */
export async function readClientSettings(connection: Connection, uri: string): Promise<ClientSettings> {
  const settings = await readSection(connection, 'entityGraph', uri);
  const catalog = isRecord(settings['catalog']) ? settings['catalog'] : {};
  const hints = isRecord(settings['inlayHints']) ? settings['inlayHints'] : {};
  const rows = positive(settings['previewRows']);
  const seconds = positive(settings['queryTimeout']);
  return {
    previewRows: rows && Math.floor(rows),
    queryTimeoutMs: seconds && seconds * 1000,
    readCatalogInBackground: catalog['readInBackground'] !== false,
    showColumnTypes: hints['columnTypes'] === true,
    showEntityCounts: hints['entityCounts'] === true,
  };
}

/** The editor's `http.*` settings, as named by VS Code; empty in other editors. */
export async function readNetworkSettings(connection: Connection): Promise<NetworkSettings> {
  return toNetworkSettings(await readSection(connection, 'http'));
}

/** Valid members of `http.*`. */
function toNetworkSettings(section: unknown): NetworkSettings {
  const settings = (typeof section === 'object' && section !== null ? section : {}) as Record<string, unknown>;
  const text = (name: string): string | undefined => {
    const value = settings[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const [proxy, proxyAuthorization] = [text('proxy'), text('proxyAuthorization')];
  const { noProxy } = settings;
  const exceptions = Array.isArray(noProxy) ? noProxy.filter((each) => typeof each === 'string') : undefined;
  return {
    proxy,
    proxyAuthorization,
    proxyStrictSSL: settings['proxyStrictSSL'] === false ? false : undefined,
    noProxy: exceptions,
    proxyOff: settings['proxySupport'] === 'off' ? true : undefined,
    systemCertificates: settings['systemCertificates'] === true ? true : undefined,
  };
}

/** A section of the client's settings; absent if unsupported. */
async function readSection(
  connection: Connection,
  section: string,
  scopeUri?: string,
): Promise<Readonly<Record<string, unknown>>> {
  const item = { section, ...(scopeUri !== undefined && { scopeUri }) };
  const settings: unknown = await connection.workspace.getConfiguration(item).catch(() => undefined);
  return isRecord(settings) ? settings : {};
}

export const defaultClientSettings: ClientSettings = {
  readCatalogInBackground: true,
  showColumnTypes: false,
  showEntityCounts: false,
};

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
