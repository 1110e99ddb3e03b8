import { type Memento, type TextDocument, type Uri, commands } from 'vscode';
import type { PreviewShare } from '../../protocol/canvas-intents.ts';
import { canvasShapes } from '../../protocol/shapes/webview-shapes.ts';
import type { ImportLink, PlannedImport } from '../../protocol/import-page.ts';
import type { ImportPlanView } from '../../protocol/import-plan.ts';
import type { CanvasRequests } from '../../protocol/webview-messages.ts';
import type { EditWriter } from './apply-edits.ts';
import { commandIds } from './command-ids.ts';
import type { GraphLanguage } from './language-client.ts';
import type { ImportPage, ImportPages } from './import-pages.ts';
import type { QueryDocuments } from './query-documents.ts';
import type { RunningImports } from './running-imports.ts';
import { reportedRequest } from './reported-request.ts';
import { offerRemedy } from './show-failure.ts';
import {
  type RequestHandlers,
  type WebviewResponder,
  createWebviewResponder,
  saveImage,
  success,
} from './webview-responder.ts';

/** Dependencies of the canvas request handlers. */
export interface CanvasServices {
  readonly language: GraphLanguage;
  readonly queries: QueryDocuments;
  readonly writer: EditWriter;
  readonly imports: Pick<RunningImports, 'cancel'>;
  readonly importPages: ImportPages;
  /** State of the extension, for all canvases. */
  readonly state: Pick<Memento, 'get' | 'update'>;
}

const previewShareKey = 'canvas.previewShare';

/** Handles the requests of one canvas. */
export function createCanvasResponder(
  services: CanvasServices,
  document: TextDocument,
  importPage: ImportPage,
): WebviewResponder {
  return createWebviewResponder<CanvasRequests, TextDocument>(
    createHandlers(services, importPage),
    canvasShapes,
    document,
  );
}

function createHandlers(
  { language, queries, writer, imports, state }: CanvasServices,
  importPage: ImportPage,
): RequestHandlers<CanvasRequests, TextDocument> {
  return {
    edit: ({ intent }, document) =>
      writer.write(document, () => language.request('entityGraph/edit', { uri: document.uri.toString(), intent })),
    checkIntent: ({ intent }, { uri }, token) =>
      language.request('entityGraph/checkIntent', { uri: uri.toString(), intent }, token),
    dataObjects: ({ refresh }, { uri }, token) =>
      language.request('entityGraph/dataObjects', { uri: uri.toString(), refresh }, token),
    otherSources: ({ read }, { uri }, token) =>
      language.request('entityGraph/otherSources', { uri: uri.toString(), read }, token),
    stopReading: async ({ dataSource }, { uri }) =>
      success(
        await language.request('entityGraph/stopReading', {
          uri: uri.toString(),
          dataSource,
        }),
      ),
    columns: async ({ values }, { uri }, token) =>
      success(await language.request('entityGraph/columns', { uri: uri.toString(), values }, token)),
    suggestJoins: async ({ source, target }, { uri }, token) =>
      success(await language.request('entityGraph/suggestJoins', { uri: uri.toString(), source, target }, token)),
    problemFixes: async (problem, { uri }, token) =>
      success(await language.request('entityGraph/problemFixes', { ...problem, uri: uri.toString() }, token)),
    fixProblem: (fix, document) =>
      writer.write(document, () =>
        language.request('entityGraph/fixProblem', { ...fix, uri: document.uri.toString() }),
      ),
    layout: async (_params, { uri }, token) =>
      success(await language.request('entityGraph/layout', { uri: uri.toString() }, token)),
    saveLayout: ({ layout }, { uri }) => language.request('entityGraph/saveLayout', { uri: uri.toString(), layout }),
    previewShare: async () => success(state.get<PreviewShare | null>(previewShareKey, null)),
    async savePreviewShare({ share }) {
      await state.update(previewShareKey, share);
      return success(null);
    },
    async testQuery(params, { uri }, token, report) {
      const hands = { token, report };
      const outcome = await reportedRequest(
        language,
        'entityGraph/testQuery',
        { ...params, uri: uri.toString() },
        hands,
      );
      // The dialog shows the problem; a remedy outside of the dialog gets a button here.
      if (!outcome.ok) void offerRemedy(outcome.error, uri);
      return outcome;
    },
    previewJoin: ({ name, draft }, { uri }, token, report) =>
      reportedRequest(language, 'entityGraph/previewJoin', { uri: uri.toString(), name, draft }, { token, report }),
    countJoin: ({ name, draft }, { uri }, token, report) =>
      reportedRequest(language, 'entityGraph/countJoin', { uri: uri.toString(), name, draft }, { token, report }),
    importPage({ isShown }) {
      importPage.setShown(isShown);
      return Promise.resolve(success(null));
    },
    async importPlan({ prompt = false }, { uri }, token, report) {
      const params = { uri: uri.toString(), prompt };
      const outcome = await reportedRequest(language, 'entityGraph/importPlan', params, { token, report });
      return outcome.ok ? success(plannedImport(outcome.value)) : outcome;
    },
    async startImport({ isFull = false, usesKeptRows = false, sample }, { uri }) {
      if (sample !== undefined) {
        await commands.executeCommand(commandIds.importSample, uri, sample);
        return success(null);
      }
      const command = usesKeptRows ? commandIds.importWithKeptRows : commandIds.import;
      await commands.executeCommand(isFull ? commandIds.importEverything : command, uri);
      return success(null);
    },
    cancelImport(_params, { uri }) {
      imports.cancel(uri.toString());
      return Promise.resolve(success(null));
    },
    async openImportLink({ link }, { uri }) {
      const { command, ...of } = importLinks[link];
      await commands.executeCommand(command, ...argumentsOf(of, uri));
      return success(null);
    },
    async showQuery(params, { uri }, token, report) {
      const hands = { token, report };
      const outcome = await reportedRequest(
        language,
        'entityGraph/showQuery',
        { ...params, uri: uri.toString() },
        hands,
      );
      if (!outcome.ok) {
        void offerRemedy(outcome.error, uri);
        return outcome;
      }
      await queries.show(uri, params.target, outcome.value);
      return success(null);
    },
    async openResults({ target }, { uri }) {
      await commands.executeCommand(commandIds.testQuery, uri.toString(), target);
      return success(null);
    },
    saveImage: (image, { uri }) => saveImage(language, image, uri),
  };
}

interface LinkTarget {
  readonly command: string;
  /** Passed to the command in place of the graph. */
  readonly argument?: string;
  /** Passed to the command after the graph. */
  readonly tab?: string;
}

const importLinks: Readonly<Record<ImportLink, LinkTarget>> = {
  'event graph': { command: commandIds.openEventGraph },
  'process map': { command: commandIds.openEventGraph, tab: 'map' },
  plan: { command: commandIds.showPlan },
  settings: { command: 'workbench.action.openSettings', argument: 'entityGraph.import' },
  log: { command: commandIds.showLog },
};

function argumentsOf({ argument, tab }: Omit<LinkTarget, 'command'>, uri: Uri): readonly unknown[] {
  return argument === undefined ? [uri, ...(tab === undefined ? [] : [tab])] : [argument];
}

function plannedImport({ engine, dataSources, steps }: ImportPlanView): PlannedImport {
  return {
    engine,
    dataSources,
    statements: steps.reduce((count, { parts }) => count + parts.length, 0),
  };
}
