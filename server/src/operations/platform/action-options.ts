export interface ActionOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string) => void;
}
