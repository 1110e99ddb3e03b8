import { SourceError } from '../../connectors/source-error.ts';
import { sourceKind, sourceKinds } from '../../connectors/source-kinds.ts';
import type { SourceWriter } from '../../connectors/source-writer.ts';
import type { DataSource } from '../../model/data-sources.ts';

/** The write actions of a source. Rejects with `source-config` for a kind without them. */
export async function writerOf(source: DataSource): Promise<SourceWriter> {
  const kind = source.kind?.value;
  const writer = await sourceKind(kind)?.writer?.();
  if (writer) return writer;
  const kinds = sourceKinds().filter((each) => each.writer);
  throw new SourceError(
    'source-config',
    `Data source ${source.name.value} is no instance of the platform: its kind is ${kind}.`,
    { remedy: `Name a data source of kind ${kinds.map(({ name }) => name).join(' or ')}.` },
  );
}
