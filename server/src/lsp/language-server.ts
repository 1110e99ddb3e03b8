import type { ImportProgress } from '../../../protocol/import-progress.ts';
import type { GraphClient } from '../engine/graph-client.ts';
import type { ProjectContext } from '../project/open-project.ts';
import type { Services } from '../services.ts';
import type { BrowserLogins } from './sources/browser-logins.ts';
import type { ClientAbilities } from './client-abilities.ts';
import type { ClientSettings } from './client-settings.ts';
import type { KeptComparisons } from './kept-comparisons.ts';
import type { KnownSettings } from './known-settings.ts';
import type { ValidatedGraphs } from './diagnostics/validated-graphs.ts';
import type { Diagnostics } from './diagnostics/diagnostics.ts';
import type { TestContexts } from './diagnostics/test-contexts.ts';
import type { GraphContexts } from './diagnostics/graph-contexts.ts';
import type { KnownReferences } from './sources/known-references.ts';
import type { FollowedGraphs } from './requests/followed-graphs.ts';
import type { OpenDocuments } from './documents/open-documents.ts';
import type { Secrets } from './sources/secrets.ts';
import type { SourceCatalogs } from './sources/source-catalogs.ts';
import type { SqlValidator } from '../language/sql/sql-validator.ts';

/** Services of the running server. */
export interface LanguageServer {
  readonly documents: OpenDocuments;
  readonly contexts: GraphContexts;
  /** The graphs of open files of tests. */
  readonly tests: TestContexts;
  readonly catalogs: SourceCatalogs;
  readonly diagnostics: Diagnostics;
  readonly validatedGraphs: ValidatedGraphs;
  /** What code lenses and the canvas show. */
  readonly comparisons: KeptComparisons;
  /** The graphs shown on a canvas. */
  readonly followed: FollowedGraphs;
  readonly secrets: Secrets;
  readonly logins: BrowserLogins;
  readonly references: KnownReferences;
  /** DuckDB's parser in a separate process. */
  readonly duckdbValidator: SqlValidator;
  /** Queries on imported graphs, in a separate process. */
  readonly graphs: GraphClient;
  readonly project: ProjectContext;
  /** Capabilities of the client. */
  abilities(): ClientAbilities;
  /** False in an untrusted workspace: no source may be contacted. */
  isTrusted(): boolean;
  settings(uri: string): Promise<ClientSettings>;
  readonly knownSettings: KnownSettings;
  /** Loads the engine on first use, because editing must start quickly. */
  services(): Promise<Services>;
  /** Resolves when the state of all renamed graphs was moved. Never rejects. */
  renamesFollowed(): Promise<void>;
  /** Code lenses are outdated. */
  lensesChanged(): void;
  /** Code lenses and inlay hints about the last import are outdated. */
  countsChanged(): void;
  reportImport(uri: string, progress: ImportProgress): void;
  /** Tells the client each step of a request, if it wants to know. */
  reporting(progressToken: string | undefined): (step: string) => void;
  /** Shows a message to the user, in addition to a response. */
  tell(message: string): void;
}
