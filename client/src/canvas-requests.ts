import { type Memento, type TextDocument, type Uri, commands } from 'vscode';
import type { PreviewShare } from '../../protocol/canvas-intents.ts';
import { secretFailures } from '../../protocol/failure-codes.ts';
import type { ImportLink, PlannedImport } from '../../protocol/import-page.ts';
import type { ImportPlanView } from '../../protocol/import-plan.ts';
import { canvasRequests, forwardedCanvasRequests } from '../../protocol/requests/canvas-requests.ts';
import type { EditWriter } from './apply-edits.ts';
import { acceptingGuards, commandIds } from './command-ids.ts';
import type { Comparisons } from './comparisons.ts';
import type { GraphLanguage } from './language-client.ts';
import type { ImportPage, ImportPages } from './import-pages.ts';
import type { QueryDocuments } from './query-documents.ts';
import type { RunningImports } from './running-imports.ts';
import { reportedRequest } from './reported-request.ts';
import { offerRemedy, setSecret } from './show-failure.ts';
import {
  type RequestHandlers,
  type WebviewResponder,
  createWebviewResponder,
  forwardRequests,
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
  readonly comparisons: Pick<Comparisons, 'of' | 'onDidChange'>;
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
  return createWebviewResponder(canvasRequests, createHandlers(services, importPage), document);
}

function createHandlers(
  { language, queries, writer, imports, comparisons, state }: CanvasServices,
  importPage: ImportPage,
): RequestHandlers<typeof canvasRequests, TextDocument> {
  const forwarded = forwardRequests(language, forwardedCanvasRequests);
  return {
    ...forwarded,
    edit: (params, document, ...context) => writer.write(document, () => forwarded.edit(params, document, ...context)),
    fixProblem: (params, document, ...context) =>
      writer.write(document, () => forwarded.fixProblem(params, document, ...context)),
    previewShare: async () => success(state.get<PreviewShare | null>(previewShareKey, null)),
    async savePreviewShare({ share }) {
      await state.update(previewShareKey, share);
      return success(null);
    },
    async testQuery(params, document, ...context) {
      const outcome = await forwarded.testQuery(params, document, ...context);
      // The dialog shows the problem and sets secrets; another remedy gets a button here.
      if (!outcome.ok && !secretFailures.has(outcome.error.code)) void offerRemedy(outcome.error, document.uri);
      return outcome;
    },
    importPage({ isShown }) {
      importPage.setShown(isShown);
      return Promise.resolve(success(null));
    },
    async importPlan({ prompt = false }, { uri }, token, report) {
      const params = { uri: uri.toString(), prompt };
      const outcome = await reportedRequest(language, 'entityGraph/importPlan', params, { token, report });
      return outcome.ok ? success(plannedImport(outcome.value)) : outcome;
    },
    async startImport({ isFull = false, usesKeptRows = false, acceptsGuards = false, sample }, { uri }) {
      if (sample !== undefined) {
        await commands.executeCommand(commandIds.importSample, uri, sample);
        return success(null);
      }
      if (acceptsGuards) {
        await commands.executeCommand(commandIds.import, uri, acceptingGuards);
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
    async textComparison({ action, entry }, { uri }) {
      const base = comparisons.of(uri)?.base;
      if (action === 'compareAgain') await commands.executeCommand(commandIds.compareWith, uri, base);
      else if (action === 'stop') await commands.executeCommand(commandIds.stopComparing, uri);
      else await commands.executeCommand(commandIds.showComparison, uri, entry);
      return success(null);
    },
    async openImportLink({ link }, { uri }) {
      const { command, ...of } = importLinks[link];
      await commands.executeCommand(command, ...argumentsOf(of, uri));
      return success(null);
    },
    async showQuery(params, document, ...context) {
      const outcome = await forwarded.showQuery(params, document, ...context);
      if (!outcome.ok) {
        const again = (): Thenable<unknown> =>
          commands.executeCommand(commandIds.showQuery, document.uri.toString(), params.target);
        const isInDialog = params.draft !== undefined && secretFailures.has(outcome.error.code);
        if (!isInDialog) void offerRemedy(outcome.error, document.uri, again);
        return outcome;
      }
      await queries.show(document.uri, params.target, outcome.value);
      return success(null);
    },
    setSecret: async () => success(await setSecret()),
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
