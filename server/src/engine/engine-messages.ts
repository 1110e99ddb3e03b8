import type { ImportMessage } from '../../../protocol/import-progress.ts';
import type { NetworkSettings } from '../connectors/connector-context.ts';
import type { ValueUse } from '../connectors/permit-use.ts';
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
  | ({ readonly kind: 'answer'; readonly request: number } & EngineAnswer);

export interface EngineAnswer {
  readonly value?: string;
  /** To a question whether values may be sent; without it, none may. */
  readonly refused?: readonly ValueUse[];
}

/** Engine → server. */
export type FromEngine =
  | { readonly kind: 'import'; readonly message: ImportMessage }
  | { readonly kind: 'ask'; readonly request: number; readonly question: EngineQuestion };

/** What only the editor knows, or keeps: secrets, where they may be sent, and tokens of logins. */
export type EngineQuestion =
  | { readonly kind: 'secret'; readonly name: string; readonly uses: readonly ValueUse[] }
  | { readonly kind: 'permit'; readonly uses: readonly ValueUse[] }
  | { readonly kind: 'token'; readonly name: string }
  | { readonly kind: 'keep token'; readonly name: string; readonly value?: string };
