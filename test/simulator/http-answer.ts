/** A request as seen by the instance's interfaces. */
export interface SimulatedRequest {
  readonly method: string;
  /** Path without query, decoded. */
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** `http://127.0.0.1:port`. */
  readonly baseUrl: string;
  /** `user_name` of the logged-in user, if the simulator knows it. */
  readonly user?: string;
}

export interface SimulatedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, anything else verbatim. */
  readonly body?: object | string | Buffer;
}

export function failure(status: number, message: string, detail: string | null = null): SimulatedAnswer {
  return { status, body: { error: { message, detail }, status: 'failure' } };
}
