import { type Checked, type Shape, anything, count, tagged, text } from '../../../../protocol/shapes/shape.ts';

/**
 * A message between two processes. Each side numbers its own requests: `cancel` contains an id of the sender, the last
 * three kinds one of the receiver.
 */
export const rpcMessage = tagged('kind', {
  request: { id: count, method: text, params: anything },
  cancel: { id: count },
  progress: { id: count, value: anything },
  result: { id: count, value: anything },
  failure: { id: count, message: text },
});
export type RpcMessage = Checked<typeof rpcMessage>;

/** Types of a method. Expected failures are part of the result; other errors are transferred as their message. */
export interface Method {
  readonly params: unknown;
  readonly result: unknown;
  readonly progress?: unknown;
}

/** Constrains `M` to an interface whose members are methods. */
export type MethodMap<M> = { readonly [K in keyof M]: Method };

/**
 * Schemas of the parameters. Both ends are ours: a schema goes only as deep as the handler needs, and results are not
 * validated.
 */
export type ParamShapes<M extends MethodMap<M>> = { readonly [K in keyof M]: Shape<M[K]['params']> };

/** Handlers of the methods. */
export type Answers<M extends MethodMap<M>> = {
  readonly [K in keyof M]: (params: M[K]['params'], context: AnswerContext<M[K]>) => Promise<M[K]['result']>;
};

interface AnswerContext<T extends Method> {
  /** Aborted when the request is cancelled, or when its sender has exited. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: T['progress']) => void;
}

/** The handlers of a process and their schemas. */
export interface Answering<M extends MethodMap<M>> {
  readonly shapes: ParamShapes<M>;
  readonly answers: Answers<M>;
}
