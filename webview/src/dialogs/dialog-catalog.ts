import type { nothing } from 'lit';
import { type TemplateResult } from 'lit';
import type { CatalogReader } from '../catalog/catalog-reader.ts';
import { drawReading } from '../catalog/draw-reading.ts';

/** The catalog of the graph's source, for a dialog. */
export interface DialogCatalog extends Pick<CatalogReader, 'state' | 'load' | 'stop'> {
  readonly dataSource: string | undefined;
}

/** Why no names can be chosen yet. */
export function drawCatalogNotice(catalog: DialogCatalog): TemplateResult | typeof nothing {
  return drawReading(catalog.state(), catalog.dataSource, catalog);
}
