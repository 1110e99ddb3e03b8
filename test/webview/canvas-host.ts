import type { Browser, BrowserContext } from 'playwright-core';
import { createGraphMessages } from '../../client/src/graph-messages.ts';
import type { CanvasLayout } from '../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../protocol/shapes/canvas-shapes.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import type { CanvasParams } from '../../protocol/requests/canvas-requests.ts';
import type { Catalog, Column, ColumnSense, DataObject } from '../../server/src/catalog/catalog.ts';
import type { GraphView } from '../../protocol/graph-view.ts';
import { validateEntityGraph } from '../../server/src/language/validation/validate-graph.ts';
import type { GraphContext } from '../../server/src/language/graph-context.ts';
import { type GraphKnowledge, graphNotes, problemAt, withNotes } from '../../server/src/language/graph-notes.ts';
import { fixesOf } from '../../server/src/language/quick-fixes/index.ts';
import type { Fix } from '../../server/src/language/quick-fixes/quick-fix.ts';
import type { Problem } from '../../server/src/model/problem.ts';
import { checkingIntent } from '../../server/src/language/validation/check-intent.ts';
import { draftEntry } from '../../server/src/draft/draft-entry.ts';
import { columnView } from '../../server/src/lsp/requests/catalog-views.ts';
import { columnsOf } from '../../server/src/language/column-scope.ts';
import { suggestJoinsOf } from '../../server/src/language/completion/suggest-joins.ts';
import { graphParts } from '../../server/src/language/graph-parts.ts';
import { toGraphView } from '../../server/src/language/to-graph-view.ts';
import { editGraph } from '../../server/src/model/edits/edit-graph.ts';
import { applyEdits } from '../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { endNamed } from '../../server/src/model/relationship-ends.ts';
import { toEnd } from '../../server/src/model/steps.ts';
import { sqlValidatorsOf } from '../../server/src/sql/sql-validator-of.ts';
import { sources } from '../unit/language/shop-catalog.ts';
import type { PostedRequest, WebviewOptions, WebviewPage, WebviewServer } from './webview-page.ts';

/** A document with the server's real functions in place of VS Code: text, edits, undo. */
export interface CanvasHost {
  readonly webview: WebviewPage;
  text(): string;
  /** Changes the text like a person in the text editor. */
  setText(text: string): Promise<void>;
  /** Undoes the last edit of the canvas. */
  undo(): Promise<void>;
  layout(): CanvasLayout;
  /** The response to a request, in place of the real one. */
  answers: Partial<Record<PostedRequest['method'], (params: never) => unknown>>;
}

export interface CanvasHostOptions extends Partial<WebviewOptions> {
  readonly text: string;
  readonly catalog?: Catalog;
  readonly layout?: CanvasLayout;
  /** Whether entries come with their problems, as from the server. */
  readonly withProblems?: boolean;
  readonly imported?: GraphKnowledge['imported'];
  /** The initial responses to requests. */
  readonly answers?: CanvasHost['answers'];
}

export async function openCanvasHost(
  server: WebviewServer,
  browser: Browser | BrowserContext,
  {
    text: start,
    catalog = shop,
    layout: kept = { elements: {} },
    withProblems = false,
    imported,
    answers = {},
    ...options
  }: CanvasHostOptions,
): Promise<CanvasHost> {
  let text = start;
  let version = 1;
  let layout = kept;
  const undone: string[] = [];
  const toMessages = createGraphMessages();
  const syntax = await sqlValidatorsOf(parseEntityGraph('dataSource: shop\n').graph, sources);

  async function edit(intent: CanvasIntent): Promise<Outcome<{ select?: string }>> {
    const result = editGraph({ text }, intent);
    if ('refusal' in result) return { ok: false, error: { code: 'edit-refused', message: result.refusal } };
    undone.push(text);
    await become(applyEdits(text, result.edits));
    return { ok: true, value: result.select === undefined ? {} : { select: result.select } };
  }

  async function become(next: string): Promise<void> {
    text = next;
    version += 1;
    const { whole, change } = toMessages(viewOf(text));
    await webview.send(change ?? whole);
  }

  const knownOf = (now: string): GraphContext => ({
    ...{ parsed: parseEntityGraph(now), sources, catalog },
    ...syntax,
  });
  const problemsOf = (now: string): readonly Problem[] => validateEntityGraph({ text: now, ...knownOf(now) });

  /** The view with problems, and what a test says of the last import. */
  function viewOf(now: string): GraphView {
    const parsed = parseEntityGraph(now);
    const view = toGraphView(parsed, { uri: 'file:///shop.entity.yaml', version });
    if (view.syntaxError || !withProblems) return view;
    return withNotes(view, graphNotes(view, parsed, { problems: problemsOf(now), imported }));
  }

  function fixesAt(address: CanvasParams<'problemFixes'>): readonly Fix[] {
    const problem = problemAt(address, parseEntityGraph(text).graph, problemsOf(text));
    return problem ? fixesOf(problem, knownOf(text)) : [];
  }

  const success = <T>(value: T) => ({ ok: true, value }) as const;
  const host: Omit<CanvasHost, 'webview'> = {
    text: () => text,
    setText: become,
    undo: () => become(undone.pop() ?? text),
    layout: () => layout,
    answers,
  };

  async function answer({ method, params }: PostedRequest): Promise<unknown> {
    const own = host.answers[method] as ((given: unknown) => unknown) | undefined;
    if (own) return own(params);
    switch (method) {
      case 'edit':
        return edit((params as CanvasParams<'edit'>).intent);
      case 'checkIntent': {
        const { intent } = params as CanvasParams<'checkIntent'>;
        const check = toEnd(checkingIntent({ text }, intent, { catalog, sources, ...syntax }));
        return 'refusal' in check
          ? { ok: false, error: { code: 'edit-refused', message: check.refusal } }
          : success(check);
      }
      case 'dataObjects': {
        const objects = catalog.objects.map(({ name, kind, statistics, primaryKey }) => ({
          name,
          kind,
          ...statistics,
          key: primaryKey,
        }));
        return success({ objects });
      }
      case 'columns': {
        const { dataObject, joins } = (params as CanvasParams<'columns'>).values;
        const columns = columnsOf(dataObject, joins, catalog);
        return success(columns.map(columnView));
      }
      case 'draftEntry': {
        const { dataObject } = (params as CanvasParams<'draftEntry'>).values;
        const object = catalog.objects.find(({ name }) => name === dataObject);
        return success(object ? draftEntry(object, catalog) : null);
      }
      case 'suggestJoins': {
        const { source, target } = params as CanvasParams<'suggestJoins'>;
        const { graph } = parseEntityGraph(text);
        const [from, to] = [source, target].map((id) => endNamed(graph, id));
        return success(suggestJoinsOf(catalog, from, to));
      }
      case 'graphParts':
        return success(graphParts(parseEntityGraph(text)));
      case 'problemFixes':
        return success(fixesAt(params as CanvasParams<'problemFixes'>).map(({ title }) => ({ id: title, title })));
      case 'fixProblem': {
        const fix = fixesAt(params as CanvasParams<'fixProblem'>).find(
          ({ title }) => title === (params as CanvasParams<'fixProblem'>).fix,
        );
        await become(applyEdits(text, fix?.edits ?? []));
        return success({});
      }
      case 'layout':
        return success(layout);
      case 'saveLayout':
        layout = (params as CanvasParams<'saveLayout'>).layout;
        return success(null);
      default:
        return undefined;
    }
  }

  const webview = await server.open(browser, { bundle: 'canvas', ...options, answer });
  await become(text);
  return Object.assign(host, { webview });
}

/** Orders, their lines, customers and products, related by foreign keys; and a table of five hundred columns. */
export const shop: Catalog = {
  dataSource: 'shop',
  kind: 'postgresql',
  dialect: 'postgresql',
  complete: true,
  readAt: '2026-01-01T00:00:00.000Z',
  warnings: [],
  objects: [
    object('customers', ['id:integer', 'name:text', 'city:text', 'since:date']),
    object(
      'orders',
      [
        'id:integer',
        'customer_id:integer',
        'number:text',
        'total:number',
        'placed_at:timestamp',
        'shipped_at:timestamp',
      ],
      { customer_id: 'customers' },
    ),
    object('order_lines', ['id:integer', 'order_id:integer', 'product_id:integer', 'amount:number'], {
      order_id: 'orders',
      product_id: 'products',
    }),
    object('products', ['id:integer', 'name:text', 'added_at:timestamp']),
    object('wide', [
      'id:integer',
      'at:timestamp',
      ...Array.from({ length: 498 }, (_, index) => `column_${index + 1}:text`),
    ]),
  ],
};

function object(
  name: string,
  columns: readonly string[],
  references: Readonly<Record<string, string>> = {},
): DataObject {
  return {
    name,
    kind: 'table',
    path: ['public', name],
    columns: columns.map((text): Column => {
      const [column = '', sense = 'text'] = text.split(':') as [string, ColumnSense];
      const other = references[column];
      return {
        ...{ name: column, type: sense, sense, nullable: column !== 'id', primaryKey: column === 'id' },
        ...(other === undefined ? {} : { references: { dataObject: other, column: 'id' } }),
      };
    }),
    primaryKey: ['id'],
    foreignKeys: Object.entries(references).map(([column, other]) => ({
      name: `${name}_${column}_fkey`,
      columns: [column],
      references: { dataObject: other, columns: ['id'] },
    })),
    statistics: { columnCount: columns.length, rowEstimate: 6000, dataSize: 1_234_567 },
  };
}
