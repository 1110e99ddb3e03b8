import type { Outcome } from '../query-results.ts';
import { type Checked, type Members, type ObjectOf, type Shape, both, object, optional, text } from './shape.ts';

/** A request: the schema of its parameters, and the type of its result. */
export interface RequestShape<out Params, out Result, out IsReported extends boolean = boolean> {
  readonly params: Shape<Params>;
  /** Its steps can be reported until it is answered. */
  readonly isReported: IsReported;
  /** The result says whether the request succeeded. */
  readonly isOutcome: boolean;
  /** Phantom member: tells the compiler the type of the result. */
  readonly result?: Result;
}

/** Requests by name. */
export type RequestTable = Readonly<Record<string, RequestShape<unknown, unknown>>>;
export type ParamsOf<R> = R extends RequestShape<infer Params, unknown> ? Params : never;
export type ResultOf<R> = R extends RequestShape<unknown, infer Result> ? Result : never;

type ParamsIn<F> = F extends Shape<infer T> ? T : ObjectOf<F>;

interface Results<Params, IsReported extends boolean> {
  gives<Result>(): RequestShape<Params, Result, IsReported>;
  /** Gives a result, or says why there is none. */
  outcome<Result>(): RequestShape<Params, Outcome<Result>, IsReported>;
}

/** A request with these parameters. */
export function request<const F extends Members | Shape<unknown>>(params: F): Results<ParamsIn<F>, false> {
  return define(params, false) as Results<ParamsIn<F>, false>;
}

/** A request that can take long: with a token, each step arrives as `entityGraph/requestProgress`. */
export function reported<const F extends Members>(params: F): Results<ObjectOf<F>, true> {
  return define(params, true) as Results<ObjectOf<F>, true>;
}

function define(params: Members | Shape<unknown>, isReported: boolean): Results<unknown, boolean> {
  const shape = typeof params === 'function' ? params : object(params);
  return {
    gives: () => ({ params: shape, isReported, isOutcome: false }),
    outcome: () => ({ params: shape, isReported, isOutcome: true }),
  };
}

const progressToken = object({ progressToken: optional(text) });

/** Parameters of a request whose steps can be reported. */
export type Reported = Checked<typeof progressToken>;

/** Requests between client and server: method → parameters and result. */
export type Requests<T> = {
  readonly [M in keyof T]: {
    readonly params: T[M] extends RequestShape<infer P, unknown, infer R> ? (R extends true ? P & Reported : P) : never;
    readonly result: ResultOf<T[M]>;
  };
};

/** The schema of the parameters of each request to the server. */
export function paramShapes(table: RequestTable): Readonly<Record<string, Shape<unknown>>> {
  const entries = Object.entries(table);
  return Object.fromEntries(
    entries.map(([method, { params, isReported }]) => [method, isReported ? both(params, progressToken) : params]),
  );
}

/** Requests of pages about their document: the server gets its `uri` in addition, from the client. */
export type WithUri<T> = {
  readonly [M in keyof T & string as `entityGraph/${M}`]: T[M] extends RequestShape<infer P, infer R, infer S>
    ? RequestShape<P & { readonly uri: string }, R, S>
    : never;
};

const ofDocument = object({ uri: text });

export function withUri<const T extends RequestTable>(table: T): WithUri<T> {
  const entries = Object.entries(table);
  return Object.fromEntries(
    entries.map(([method, each]) => [`entityGraph/${method}`, { ...each, params: both(ofDocument, each.params) }]),
  ) as unknown as WithUri<T>;
}

/** Requests of a page to the client. Every result is an outcome. */
export type PageRequests<T> = {
  readonly [M in keyof T]: {
    readonly params: ParamsOf<T[M]>;
    readonly result: ResultOf<T[M]> extends Outcome<unknown> ? ResultOf<T[M]> : Outcome<ResultOf<T[M]>>;
  };
};
