import type { ImportMessage } from '../../../protocol/import-progress.ts';
import type { NetworkSettings } from '../connectors/create-connector.ts';
import type { GraphFile } from '../project/open-project.ts';

/** An import as it is handed to the engine's process. */
export interface EngineJob {
  readonly file: GraphFile;
  /** Texts of the editor's unsaved documents that the import may read, by path. */
  readonly openTexts: Readonly<Record<string, string>>;
  readonly workspaceFolder?: string;
  readonly network?: NetworkSettings;
  readonly sample?: number;
  readonly since?: string;
  readonly isFull?: boolean;
  /** Copies the graph that the last import has built inside its source, instead of building one. */
  readonly isFetch?: boolean;
}

/** Server → engine. */
export type ToEngine =
  | { readonly kind: 'import'; readonly job: EngineJob }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'answer'; readonly request: number; readonly value?: string };

/** Engine → server. */
export type FromEngine =
  | { readonly kind: 'import'; readonly message: ImportMessage }
  | { readonly kind: 'ask'; readonly request: number; readonly question: EngineQuestion };

/** What only the editor knows, or keeps: secrets and tokens of logins. */
export type EngineQuestion =
  | { readonly kind: 'secret' | 'token'; readonly name: string }
  | { readonly kind: 'keep token'; readonly name: string; readonly value?: string };
