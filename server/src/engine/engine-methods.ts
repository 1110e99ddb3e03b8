import { type Shape, anything, flag, list, object, optional, text } from '../../../protocol/shapes/shape.ts';
import type { GraphEffect } from '../../../protocol/graph-effect.ts';
import type { ImportPlanView } from '../../../protocol/import-plan.ts';
import type { ImportProgress, ImportOutcome } from '../../../protocol/import-progress.ts';
import type { ImportRequest } from '../../../protocol/import-request.ts';
import { importRequest } from '../../../protocol/shapes/import-shapes.ts';
import type { Outcome } from '../../../protocol/query-results.ts';
import type { NetworkSettings } from '../connectors/connector-context.ts';
import type { ValueUse } from '../connectors/permit-use.ts';
import type { GraphTestReport } from '../operations/graph-tests/test-report.ts';
import type { ComparedStores } from '../operations/effect/graph-effect.ts';
import type { GraphFile } from '../project/open-project.ts';
import { graphFile } from './graph-file-shape.ts';
import type { ParamShapes } from './rpc/rpc-messages.ts';

/** Methods of the import process, which handles one request: an import, its plan, a comparison of two texts, or tests with given rows. */
export interface EngineMethods {
  readonly import: {
    readonly params: EngineJob;
    readonly result: ImportOutcome;
    readonly progress: ImportProgress;
  };
  /** The plan of an import, which takes seconds for a large graph. */
  readonly plan: {
    readonly params: EngineContext;
    readonly result: Outcome<ImportPlanView>;
    /** The step, such as `Connecting to db.example:5432`. */
    readonly progress: string;
  };
  /** What a text of an entity graph does, compared with another one. */
  readonly effect: {
    readonly params: EngineComparison;
    readonly result: Outcome<ComparedTexts>;
    /** The step, such as `Base, load: Orders`. */
    readonly progress: string;
  };
  readonly test: { readonly params: EngineTests; readonly result: Outcome<GraphTestReport> };
}

/** An entity graph and its context, as sent to the import process. */
export interface EngineContext {
  readonly file: GraphFile;
  /** The data sources file with unsaved changes; absent when missing, which the import then reports. */
  readonly sourcesFile?: GraphFile | undefined;
  readonly workspaceFolder?: string | undefined;
  readonly network?: NetworkSettings | undefined;
}

/** An import as sent to the import process. */
export interface EngineJob extends EngineContext {
  readonly request: ImportRequest;
}

/** A comparison, and the text of the base; absent if the base does not have the graph. */
export interface ComparedTexts {
  readonly effect: GraphEffect;
  /** Its graphs, for the caller to delete; absent if they were not to be kept, or none were built. */
  readonly stores?: ComparedStores | undefined;
  readonly baseText?: string | undefined;
}

/** A comparison with another text as sent to the import process. */
interface EngineComparison extends EngineContext {
  /** `last`, a commit or a path. */
  readonly base: string;
  readonly isOffline: boolean;
  readonly keepsStores: boolean;
}

/** Tests with given rows as sent to the import process; `file` is that of the tests. */
interface EngineTests extends Omit<EngineContext, 'sourcesFile'> {
  /** Open documents with unsaved changes. */
  readonly texts: readonly GraphFile[];
  /** Names of the tests to run; default: all. */
  readonly only?: readonly string[] | undefined;
  /** Runs the SQL of database servers there. */
  readonly isOnline?: boolean | undefined;
}

const projectContext = {
  file: graphFile,
  sourcesFile: optional(graphFile),
  workspaceFolder: optional(text),
  network: optional(anything as Shape<NetworkSettings>),
};

export const engineShapes: ParamShapes<EngineMethods> = {
  import: object<EngineJob>({ ...projectContext, request: importRequest }),
  plan: object<EngineContext>(projectContext),
  effect: object<EngineComparison>({ ...projectContext, base: text, isOffline: flag, keepsStores: flag }),
  test: object<EngineTests>({
    file: graphFile,
    workspaceFolder: projectContext.workspaceFolder,
    network: projectContext.network,
    texts: list(graphFile),
    only: optional(list(text)),
    isOnline: optional(flag),
  }),
};

/** Requests of the import process to its parent: secrets, consent and tokens, which only the editor has. */
export interface EditorMethods {
  readonly secret: { readonly params: SecretRead; readonly result: string | undefined };
  /** Returns the refused uses. */
  readonly permit: { readonly params: { readonly uses: readonly ValueUse[] }; readonly result: readonly ValueUse[] };
  readonly readToken: { readonly params: { readonly name: string }; readonly result: string | undefined };
  readonly writeToken: { readonly params: TokenWrite; readonly result: void };
}

interface SecretRead {
  readonly name: string;
  readonly uses: readonly ValueUse[];
}

interface TokenWrite {
  readonly name: string;
  /** Absent to delete it. */
  readonly value?: string | undefined;
}

const uses = list(anything as Shape<ValueUse>);

export const editorShapes: ParamShapes<EditorMethods> = {
  secret: object<SecretRead>({ name: text, uses }),
  permit: object<EditorMethods['permit']['params']>({ uses }),
  readToken: object<EditorMethods['readToken']['params']>({ name: text }),
  writeToken: object<TokenWrite>({ name: text, value: optional(text) }),
};
