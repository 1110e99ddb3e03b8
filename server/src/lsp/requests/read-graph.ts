import { readText } from '../../files/read-text.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import { pathOfUri } from '../file-uri.ts';
import type { LanguageServer } from '../language-server.ts';
import { parseInSlices } from '../../project/parse-in-slices.ts';

interface ReadGraph {
  readonly parsed: ParsedEntityGraph;
  readonly version: number;
}

/** The open document, else the file; undefined without both. */
export async function readGraph(server: LanguageServer, uri: string): Promise<ReadGraph | undefined> {
  const open = await server.documents.whenRead(uri);
  if (open) return open.kind === 'graph' ? open : undefined;
  const path = pathOfUri(uri);
  const text = path === undefined ? undefined : await readText(path).catch(() => undefined);
  return text === undefined ? undefined : { parsed: await parseInSlices(text), version: 0 };
}
