import type { DroppedConfiguration } from '../../../protocol/requests/lifecycle-requests.ts';

/** What VS Code's Explorer and other programs attach to files that are dragged. */
const uriTypes = ['application/vnd.code.uri-list', 'text/uri-list'] as const;

/** Whether files are being dragged. */
export function hasFiles({ types }: DataTransfer): boolean {
  return types.includes('Files') || uriTypes.some((type) => types.includes(type));
}

/** Dropped files: their URIs where they are known, else their texts. */
export async function droppedFiles(
  transfer: DataTransfer,
): Promise<{ readonly uris: readonly string[]; readonly texts: readonly DroppedConfiguration[] }> {
  // Both are read before the first `await`, which empties the transfer.
  const files = [...transfer.files];
  const list = uriTypes.map((type) => transfer.getData(type)).find((text) => text !== '') ?? '';
  const uris = list.split(/\r?\n/).filter((line) => line.startsWith('file:'));
  if (uris.length > 0) return { uris, texts: [] };
  const named = files.filter(({ name }) => /\.(ya?ml|json)$/i.test(name));
  return {
    uris: [],
    texts: await Promise.all(named.map(async (file) => ({ name: file.name, text: await file.text() }))),
  };
}
