import { type Shape, anything, count, tagged, text } from '../../../../protocol/shapes/shape.ts';

/**
 * A message between two processes. Each side numbers its own requests: `cancel` names a request of the sender, and the last three
 * kinds name one of the receiver.
 */
export type RpcMessage =
  | { readonly kind: 'request'; readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'progress'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string };

export const rpcMessage: Shape<RpcMessage> = tagged<RpcMessage, 'kind'>('kind', {
  request: { id: count, method: text, params: anything },
  cancel: { id: count },
  progress: { id: count, value: anything },
  result: { id: count, value: anything },
  failure: { id: count, message: text },
});

/** The types of one method. An expected failure is a part of the result; other errors arrive as their message. */
export interface Method {
  readonly params: unknown;
  readonly result: unknown;
  readonly progress?: unknown;
}

/** Constrains `M` to an interface whose members are methods. */
export type MethodMap<M> = { readonly [K in keyof M]: Method };

/**
 * What the parameters of each method must look like. Both ends are ours: a shape looks no deeper than where the answering end would
 * stumble, and results are not compared with one.
 */
export type ParamShapes<M extends MethodMap<M>> = { readonly [K in keyof M]: Shape<M[K]['params']> };

/** What answers the requests for each method. */
export type Answers<M extends MethodMap<M>> = {
  readonly [K in keyof M]: (params: M[K]['params'], context: AnswerContext<M[K]>) => Promise<M[K]['result']>;
};

export interface AnswerContext<T extends Method> {
  /** Aborted when the request is cancelled, or when the process that sent it has ended. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: T['progress']) => void;
}

/** What a process answers, and to whom it listens for it. */
export interface Answering<M extends MethodMap<M>> {
  readonly shapes: ParamShapes<M>;
  readonly answers: Answers<M>;
}
