import type { DataObjectsView, IntentCheck, IntentEdits } from '../../../../protocol/canvas-intents.ts';
import type { LanguageRequests } from '../../../../protocol/language-requests.ts';
import type { CanvasIntent } from '../../../../protocol/shapes/canvas-shapes.ts';
import type { Outcome } from '../../../../protocol/query-results.ts';
import type { canvasDocumentRequests } from '../../../../protocol/requests/canvas-requests.ts';
import type { WithUri } from '../../../../protocol/shapes/request-shape.ts';
import { type Catalog, findDataObject } from '../../catalog/catalog.ts';
import { type GraphCatalog, catalogOf as catalogIn } from '../../catalog/graph-catalog.ts';
import { type GraphFile, openProject } from '../../project/open-project.ts';
import { parseInSlices } from '../../project/parse-in-slices.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import { createLineIndex } from '../../model/line-index.ts';
import { endNamed } from '../../model/relationship-ends.ts';
import { sqlValidatorsOf } from '../../sql/sql-validator-of.ts';
import type { GraphSource } from '../diagnostics/graph-contexts.ts';
import { computeInSlices } from '../documents/compute-in-slices.ts';
import { pathOfUri } from '../file-uri.ts';
import type { Handlers } from './request-handlers.ts';
import { fixProblem, problemFixes } from './problem-fixes.ts';
import type { LanguageServer } from '../language-server.ts';
import { openGraph } from '../documents/open-documents.ts';
import { columnView, dataObjectsView } from './catalog-views.ts';
import { otherSources } from './other-sources.ts';
import { readGraph } from './read-graph.ts';
import { catalogKey } from '../../project/catalog-freshness.ts';
import { operateOnFile, untrusted } from './source-operations.ts';
import { unlessAborted } from '../request-guard.ts';
import { stillBeingRead } from '../documents/answers-while-parsing.ts';

/** Requests of the canvas and its dialogs. */
export function createCanvasRequests(
  server: LanguageServer,
  folders: () => readonly string[],
): Handlers<WithUri<typeof canvasDocumentRequests>> {
  return {
    'entityGraph/edit': (params, signal) => edit(server, folders(), params, signal),
    'entityGraph/checkIntent': (params, signal) => checkIntent(server, params, signal),
    async 'entityGraph/dataObjects'({ uri, refresh }, signal) {
      // Opening a canvas must not prompt for secrets, only explicit requests may.
      if (!refresh) {
        const source = sourceOf(server, uri);
        if (source) server.catalogs.repeatState(source.key);
        return knownObjects(server, uri, signal);
      }
      const read = async (file: GraphFile): Promise<Outcome<DataObjectsView>> => {
        const { sourcesFile, source } = await openProject(file, server.project);
        const catalog = await server.catalogs.refresh(catalogKey(sourcesFile, source), sourcesFile, source, signal);
        for (const document of server.documents.all()) server.diagnostics.contextChanged(document.uri);
        return { ok: true, value: dataObjectsView(catalog) };
      };
      return operateOnFile(server, uri, read, { signal });
    },
    'entityGraph/otherSources': (params, signal) => otherSources(server, params, signal),
    'entityGraph/stopReading'({ uri, dataSource }) {
      const main = sourceOf(server, uri);
      const named = main?.sourcesFile.sources.sources.find(({ name }) => name.value === dataSource);
      if (main) server.catalogs.stop(named ? catalogKey(main.sourcesFile, named) : main.key);
      return null;
    },
    async 'entityGraph/columns'({ uri, values: { dataObject, joins, dataSource } }) {
      const { columnsOf } = await import('../../language/column-scope.ts');
      await server.documents.whenRead(uri);
      const catalog = catalogFor(server, uri, dataSource);
      return catalog ? columnsOf(dataObject, joins, catalog).map(columnView) : [];
    },
    async 'entityGraph/draftEntry'({ uri, values: { dataObject = '', dataSource } }) {
      const { draftEntry } = await import('../../draft/draft-entry.ts');
      await server.documents.whenRead(uri);
      const catalog = catalogFor(server, uri, dataSource);
      const object = catalog && findDataObject(catalog, dataObject);
      return object ? draftEntry(object, catalog) : null;
    },
    async 'entityGraph/suggestJoins'({ uri, source, target }) {
      const { suggestJoinsOf } = await import('../../language/completion/suggest-joins.ts');
      const graph = await readGraph(server, uri);
      const catalog = catalogOf(server, uri);
      const [from, to] = [source, target].map((id) => graph && endNamed(graph.parsed.graph, id));
      return catalog ? suggestJoinsOf(catalog, from, to) : [];
    },
    async 'entityGraph/graphParts'({ uri }) {
      const { graphParts } = await import('../../language/graph-parts.ts');
      const graph = await readGraph(server, uri);
      return graph ? graphParts(graph.parsed) : null;
    },
    'entityGraph/problemFixes': (params) => problemFixes(server, params),
    'entityGraph/fixProblem': (params) => fixProblem(server, params),
    async 'entityGraph/layout'({ uri }) {
      const path = pathOfUri(uri);
      if (path === undefined) return { elements: {} };
      const { loadLayout } = await import('../../operations/graph-files/canvas-layout.ts');
      return loadLayout(path, server.project);
    },
    async 'entityGraph/saveLayout'({ uri, layout }) {
      const path = pathOfUri(uri);
      if (path === undefined) return refused('Positions are stored once the file is saved.');
      const { saveLayout } = await import('../../operations/graph-files/canvas-layout.ts');
      const { toOutcome } = await import('../../operations/operation-error.ts');
      return toOutcome(async () => {
        await saveLayout(path, layout, server.project);
        return null;
      });
    },
  };
}

async function edit(
  server: LanguageServer,
  folders: readonly string[],
  { uri, intent }: LanguageRequests['entityGraph/edit']['params'],
  signal: AbortSignal,
): Promise<Outcome<IntentEdits>> {
  const { editGraph } = await import('../../model/edits/edit-graph.ts');
  const { prepareEdits } = await import('../../model/edits/edit-text.ts');
  const { editsOfTests, renamingsOf, testsOfGraph } = await import('../features/renames-in-tests.ts');
  const notNow = refusalOf(server, uri);
  if (notNow) return notNow;
  await computeInSlices(server.documents, uri, signal, ({ parsed }) => prepareEdits(parsed.yaml));
  const document = openGraph(server.documents, uri);
  if (!document) return notReady(server, uri);
  const { parsed, lines, version, path } = document;
  const edit = editGraph(parsed.yaml, intent);
  if ('refusal' in edit) return refused(edit.refusal);
  const edits = edit.edits.map(({ range, newText }) => ({ range: lines.range(range), newText }));
  const renamings = mayRename(intent) ? renamingsOf(parsed, edit.edits) : [];
  const value = { version, edits, select: edit.select };
  if (renamings.length === 0 || path === undefined) return { ok: true, value };
  const inTests = editsOfTests(server, await testsOfGraph(server, folders, path), renamings);
  if ('refusal' in inTests) return refused(inTests.refusal);
  const others = inTests.map((each) => ({
    uri: each.document.uri,
    edits: each.edits.map(({ range, newText }) => ({ range: each.document.lines.range(range), newText })),
  }));
  return { ok: true, value: { ...value, ...(others.length > 0 && { others }) } };
}

function mayRename({ kind }: CanvasIntent): boolean {
  return kind === 'configureElement' || kind === 'configureMasterData' || kind === 'configureRelationship';
}

async function checkIntent(
  server: LanguageServer,
  { uri, intent }: LanguageRequests['entityGraph/checkIntent']['params'],
  signal: AbortSignal,
): Promise<Outcome<IntentCheck>> {
  const { checkingIntent } = await import('../../language/validation/check-intent.ts');
  const document = openGraph(server.documents, uri);
  const notNow = refusalOf(server, uri);
  if (!document || notNow) return notNow ?? notReady(server, uri);
  const { sources, catalog } = server.contexts.of(document);
  const known = {
    ...(await sqlValidatorsOf(document.parsed.graph, sources, server.duckdbValidator)),
    sources,
    catalog: catalogAfter(server, uri, catalog, intent),
  };
  const check = await computeInSlices(server.documents, uri, signal, ({ parsed }) =>
    checkingIntent(parsed.yaml, intent, known),
  );
  if (!check) return notOpen;
  return 'refusal' in check ? refused(check.refusal) : { ok: true, value: check };
}

function catalogOf({ documents, contexts }: LanguageServer, uri: string): GraphCatalog | undefined {
  const document = openGraph(documents, uri);
  return document && contexts.of(document).catalog;
}

/** The catalog of a data source of the graph, or of one that could be chosen for it. */
function catalogFor(server: LanguageServer, uri: string, dataSource: string | undefined): Catalog | undefined {
  const all = catalogOf(server, uri);
  const ofGraph = all && catalogIn(all, dataSource === undefined ? {} : { dataSource: { value: dataSource } });
  const sourcesFile = sourceOf(server, uri)?.sourcesFile;
  if (ofGraph || !sourcesFile) return ofGraph;
  const source = sourcesFile.sources.sources.find(({ name }) => name.value === dataSource);
  return source && server.catalogs.known(catalogKey(sourcesFile, source)).catalog;
}

/** The catalog of a graph, with that of a data source which only an intent names. */
function catalogAfter(
  server: LanguageServer,
  uri: string,
  catalog: GraphCatalog | undefined,
  intent: CanvasIntent,
): GraphCatalog | undefined {
  const name = dataSourceIn(intent);
  if (!catalog || typeof name !== 'string' || catalogIn(catalog, { dataSource: { value: name } })) return catalog;
  const other = catalogFor(server, uri, name);
  return other ? { ...catalog, others: [...(catalog.others ?? []), other] } : catalog;
}

function dataSourceIn(intent: CanvasIntent): string | null | undefined {
  if (intent.kind === 'configureRelationship') return intent.values.crossTable?.dataSource;
  const isOfCard = intent.kind === 'configureElement' || intent.kind === 'configureMasterData';
  return isOfCard ? intent.values.dataSource : undefined;
}

function notReady({ documents }: LanguageServer, uri: string) {
  return documents.isBeingRead(uri) ? ({ ok: false, error: stillBeingRead(uri) } as const) : notOpen;
}

/** The refusal of edits on the canvas; undefined if they are possible. */
function refusalOf({ documents }: LanguageServer, uri: string) {
  if (documents.isBeingRead(uri)) return { ok: false, error: stillBeingRead(uri) } as const;
  const graph = openGraph(documents, uri)?.parsed.graph;
  const tooMany = graph && tooManyCards(graph);
  return tooMany === undefined ? undefined : refused(tooMany);
}

async function knownObjects(
  server: LanguageServer,
  uri: string,
  signal: AbortSignal,
): Promise<Outcome<DataObjectsView>> {
  const document = await server.documents.whenRead(uri);
  if (document?.kind !== 'graph') return notOpen;
  if (!server.isTrusted()) return { ok: false, error: untrusted };
  await unlessAborted(server.contexts.follow(document), signal);
  const catalog = catalogOf(server, uri);
  if (catalog) return { ok: true, value: dataObjectsView(catalog) };
  const newest = openGraph(server.documents, uri);
  const source = newest && server.contexts.sourceOf(newest);
  if (!newest || !source) {
    const message = 'The data source of this graph is not known. Set dataSource to one of entity-sources.yaml.';
    return { ok: false, error: { code: 'catalog-unknown', message } };
  }
  // While another view reads the source again, an earlier failure is outdated.
  await unlessAborted(server.catalogs.whenRead(source.key), signal);
  const readNow = catalogOf(server, uri);
  if (readNow) return { ok: true, value: dataObjectsView(readNow) };
  const { failure } = server.catalogs.known(source.key);
  if (failure) return { ok: false, error: failure };
  const message =
    server.contexts.of(newest).catalogUnknownBecause ?? `The tables of ${source.source.name.value} are not known yet.`;
  return { ok: false, error: { code: 'catalog-unknown', message } };
}

function sourceOf({ documents, contexts }: LanguageServer, uri: string): GraphSource | undefined {
  const document = openGraph(documents, uri);
  return document && contexts.sourceOf(document);
}

/** The file after applying an intent; unchanged without one. */
export async function draftedFile(file: GraphFile, draft: CanvasIntent | undefined): Promise<Outcome<GraphFile>> {
  if (!draft) return { ok: true, value: file };
  const { draftText } = await import('../../language/validation/check-intent.ts');
  const { graph, yaml } = await parseInSlices(file.text);
  const tooMany = tooManyCards(graph);
  if (tooMany !== undefined) return refused(tooMany);
  const drafted = draftText(yaml, draft);
  return 'refusal' in drafted ? refused(drafted.refusal) : { ok: true, value: { ...file, text: drafted.text } };
}

/** A failure of a draft refers to its field, because its text is in no file. */
export async function placedInDraft<T>(
  outcome: Outcome<T>,
  { text }: GraphFile,
  draft: CanvasIntent | undefined,
): Promise<Outcome<T>> {
  if (outcome.ok || !draft || !outcome.error.range) return outcome;
  const { fieldAt } = await import('../../language/validation/check-intent.ts');
  const { range, isWholeEntry, ...error } = outcome.error;
  if (isWholeEntry) return { ok: false, error };
  const lines = createLineIndex(text);
  const parsed = await parseInSlices(text);
  const place = fieldAt(parsed, { start: lines.offset(range.start), end: lines.offset(range.end) }, error.code);
  return { ok: false, error: { ...error, ...place } };
}

/** Limit of a usable canvas with acceptable edit times. */
const maxCards = 10_000;

function tooManyCards({ elements, entities, relationships }: EntityGraph): string | undefined {
  const cards = elements.length + entities.length + relationships.length;
  const [count, most] = [cards, maxCards].map((number) => number.toLocaleString('en-US'));
  if (cards <= maxCards) return undefined;
  return `This graph is too large to be edited on the canvas: it has ${count} elements and relationships, and ${most} are the most. Edit the text.`;
}

const notOpen = {
  ok: false,
  error: { code: 'document-closed', message: 'The file is not open in the editor any more.' },
} as const;

function refused(message: string) {
  return { ok: false, error: { code: 'edit-refused', message } } as const;
}
