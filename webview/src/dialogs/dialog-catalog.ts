import type { nothing } from 'lit';
import { type TemplateResult } from 'lit';
import type { DataObjectView } from '../../../protocol/canvas-intents.ts';
import type { CatalogReader } from '../catalog/catalog-reader.ts';
import { drawReading } from '../catalog/draw-reading.ts';
import type { ObjectsState } from '../catalog/objects-state.ts';

/** The catalog of the graph's source, for a dialog. */
export interface DialogCatalog extends Pick<CatalogReader, 'state' | 'load' | 'stop'> {
  readonly dataSource: string | undefined;
  /** The data objects that are known of a data source, by default that of the graph. */
  objectsOf(dataSource: string | undefined): readonly DataObjectView[];
  /** The data sources beside that of the graph. */
  others(): readonly OtherSource[];
  /** Reads one of these, which may ask for its secrets. */
  readOther(dataSource: string): void;
  stopOther(dataSource: string): void;
}

/** A data source beside that of the graph, whose tables can be cross tables. */
export interface OtherSource {
  readonly name: string;
  /** The kind as the user knows it, such as `SQLite`. */
  readonly kind: string;
  readonly objects: ObjectsState;
}

/** Why no names can be chosen yet. */
export function drawCatalogNotice(catalog: DialogCatalog): TemplateResult | typeof nothing {
  return drawReading(catalog.state(), catalog.dataSource, catalog);
}
