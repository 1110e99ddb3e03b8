import type { ImportProgress } from '../../../protocol/import-progress.ts';
import type { GraphClient } from '../engine/graph-client.ts';
import type { ProjectSurroundings } from '../project/open-project.ts';
import type { Services } from '../services.ts';
import type { BrowserLogins } from './sources/browser-logins.ts';
import type { ClientAbilities } from './client-abilities.ts';
import type { ClientSettings } from './client-settings.ts';
import type { DiagnosedGraphs } from './diagnostics/diagnosed-graphs.ts';
import type { Diagnostics } from './diagnostics/diagnostics.ts';
import type { GraphContexts } from './diagnostics/graph-contexts.ts';
import type { KnownReferences } from './sources/known-references.ts';
import type { FollowedGraphs } from './requests/followed-graphs.ts';
import type { OpenDocuments } from './documents/open-documents.ts';
import type { Secrets } from './sources/secrets.ts';
import type { SourceCatalogs } from './sources/source-catalogs.ts';
import type { SqlValidator } from '../language/sql/sql-validator.ts';

/** The parts of the running server that requests work with. */
export interface LanguageServer {
  readonly documents: OpenDocuments;
  readonly contexts: GraphContexts;
  readonly catalogs: SourceCatalogs;
  readonly diagnostics: Diagnostics;
  readonly diagnosedGraphs: DiagnosedGraphs;
  /** The graphs that a canvas shows. */
  readonly followed: FollowedGraphs;
  readonly secrets: Secrets;
  readonly logins: BrowserLogins;
  readonly references: KnownReferences;
  /** DuckDB's own parser, in a process of its own. */
  readonly duckdbValidator: SqlValidator;
  /** Looks at imported graphs, in a process of its own. */
  readonly graphs: GraphClient;
  readonly project: ProjectSurroundings;
  /** What the editor can do. */
  abilities(): ClientAbilities;
  /** False: no source may be reached. */
  isTrusted(): boolean;
  settings(uri: string): Promise<ClientSettings>;
  /** Loads the engine on first use: starting to edit must not wait for a database. */
  services(): Promise<Services>;
  /** Resolves when the state of all graphs that the editor has renamed went with them. Never rejects. */
  renamesFollowed(): Promise<void>;
  /** What lenses and hints tell of the last import has changed. */
  countsChanged(): void;
  reportImport(uri: string, progress: ImportProgress): void;
  reportAction(progressToken: string, message: string): void;
  /** Shows a message to the user, where an answer has no room for one. */
  tell(message: string): void;
}
