import type { EntryName } from '../../../protocol/graph-effect.ts';
import type { DataObjectName, RowCorrelationValues } from '../../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import type {
  CardView,
  ElementView,
  ProblemAddress,
  ProblemFix,
  RelationshipView,
} from '../../../protocol/graph-view.ts';
import type { TextRange } from '../../../protocol/query-results.ts';
import type { Ask } from '../request-channel.ts';
import type { CatalogReader } from '../catalog/catalog-reader.ts';
import type { AlignEdge } from './align.ts';
import type { CanvasActions } from './canvas-actions.ts';
import type { CanvasState, Draft } from './canvas-state.ts';
import type { Point } from './geometry.ts';
import type { ImportLink } from '../../../protocol/import-page.ts';
import type { CanvasParams } from '../../../protocol/requests/canvas-requests.ts';
import type { ImportReader } from './import-page.ts';

/** Canvas actions that change the file or query the data source. */
export interface CanvasEdits {
  addElement(object: DataObjectName, at?: Point): void;
  addMasterData(object: DataObjectName, at?: Point): void;
  /** Confirms first what will be removed with a data object. */
  selectObjects(objects: readonly DataObjectName[]): Promise<void>;
  /** Reads a data source of the sources file, which may ask for its secrets. */
  readSource(dataSource: string): void;
  stopSource(dataSource: string): void;
  readonly catalog: CatalogReader;
  configure(key: string, options?: { readonly showContext?: boolean; readonly draft?: Draft }): void;
  /** Opens the dialog of the graph: its texts, process rules, measures, guards, calendars and import settings. */
  configureGraph(): void;
  /** Offers the quick fixes of an entry's problems in a menu. */
  offerFixes(key: string, at: Point): Promise<void>;
  /** Applies a quick fix to the text. */
  fix(problem: ProblemAddress, fix: ProblemFix): void;
  duplicate(id: string): void;
  /** Confirms first which relationships will be removed. */
  remove(keys: readonly string[]): Promise<void>;
  relate(source: string, target: string): void;
  /** Opens the dialog of an element with one more row correlation. */
  correlate(source: string, entityType: string): void;
  testQuery(key: string): void;
  showQuery(key: string): void;
  startImport(how?: CanvasParams<'startImport'>): void;
  cancelImport(): void;
  openImportLink(link: ImportLink): void;
  readonly plan: Pick<ImportReader, 'cancelPlan' | 'planAgain'>;
  /** Corners of elements during and after dragging. */
  move(corners: ReadonlyMap<string, Point>, isDragging?: boolean): void;
  arrange(): void;
  align(edge: AlignEdge): void;
  exportImage(kind: 'svg' | 'png'): void;
  /** Makes the comparison that is shown anew, lists its numbers, or ends it. */
  /** `entry`: only its numbers. */
  comparison(action: CanvasParams<'textComparison'>['action'], entry?: EntryName): void;
  /** Updates an open dialog with the new values of the file. */
  follow(): void;
  /** Updates an open dialog with the current catalog. */
  catalogChanged(): void;
}

export interface EditModel {
  readonly plan: CanvasEdits['plan'];
  state(): CanvasState;
  update(next: CanvasState): void;
  readonly ask: Ask;
  readonly catalog: CatalogReader;
  readSource(dataSource: string): void;
  stopSource(dataSource: string): void;
  expectAt(point: Point | undefined): void;
  move(corners: ReadonlyMap<string, Point>, isDragging?: boolean): void;
  forgetPositions(): void;
  /** Opens a place in the text, beside the canvas. */
  goToText(range: TextRange): void;
  /** Scrolls the canvas as little as necessary to show a card or label. */
  reveal(key: string): void;
}

/** What the groups of edits share. */
export interface EditHands extends EditModel {
  elementOf(id: string | undefined): CardView | undefined;
  relationshipOf(id: string | undefined): RelationshipView | undefined;
  /** Edits the text; returns what to select, and nothing where the edit was refused. */
  edit(intent: CanvasIntent, words: string): Promise<string | undefined>;
  fail(message: string): void;
  select(key: string | undefined, dialog?: boolean): void;
  /** Opens the dialog of an element at one of its row correlations, the last one by default. */
  openCorrelations(element: ElementView, rows: readonly RowCorrelationValues[], index?: number): void;
}

/** All actions available to the drawing functions. */
export interface CanvasHandlers {
  readonly edits: CanvasEdits;
  readonly actions: CanvasActions;
}
