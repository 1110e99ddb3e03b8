import type { DroppedConfiguration } from '../../../protocol/requests/lifecycle-requests.ts';

/** What VS Code's Explorer and other programs attach to files that are dragged. */
const uriTypes = ['application/vnd.code.uri-list', 'text/uri-list'] as const;

/** Whether files are being dragged. */
export function hasFiles({ types }: DataTransfer): boolean {
  return types.includes('Files') || uriTypes.some((type) => types.includes(type));
}

export interface DroppedFiles {
  readonly uris: readonly string[];
  readonly texts: readonly DroppedConfiguration[];
  /** Names of those without a path that are no configurations. */
  readonly others: readonly string[];
}

/** Dropped files: their URIs where they are known, else the texts of configurations. */
export async function droppedFiles(transfer: DataTransfer): Promise<DroppedFiles> {
  // Both are read before the first `await`, which empties the transfer.
  const files = [...transfer.files];
  const list = uriTypes.map((type) => transfer.getData(type)).find((text) => text !== '') ?? '';
  // Those of a remote window have its scheme: the client knows which it can read. Web pages come with their links.
  const uris = list.split(/\r?\n/).filter((line) => /^(?!https?:)[a-z][\w+.-]+:/i.test(line));
  if (uris.length > 0) return { uris, texts: [], others: [] };
  const isNamed = ({ name }: File): boolean => /\.(ya?ml|json)$/i.test(name);
  const named = files.filter(isNamed);
  return {
    uris: [],
    others: files.filter((file) => !isNamed(file)).map(({ name }) => name),
    texts: await Promise.all(named.map(async (file) => ({ name: file.name, text: await file.text() }))),
  };
}
