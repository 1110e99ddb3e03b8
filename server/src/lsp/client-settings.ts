import type { Connection } from 'vscode-languageserver/node';

/** The settings `entityGraph.*` that the server reads; `package.json` describes them. */
export interface ClientSettings {
  /** Rows that Test Query shows at most; absent means the server's default. */
  readonly previewRows?: number | undefined;
  /** Milliseconds after which Test Query gives up; absent means the source's own setting. */
  readonly queryTimeoutMs?: number | undefined;
  /** Whether a source may be read without being asked, to know its columns. */
  readonly readCatalogInBackground: boolean;
  /** Whether the types of columns are shown behind their names. */
  readonly showColumnTypes: boolean;
  /** Whether the number of entities of the last import is shown behind activity names. */
  readonly showEntityCounts: boolean;
}

/** Reads the settings that hold for a file. An editor that has none gets the defaults. */
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

/** A section of the editor's settings; one that an editor cannot give has none. */
export async function readSection(
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
