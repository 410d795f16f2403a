export interface ErrorDetail {
  path: string
  message: string
}

export interface ApiErrorInit {
  status: number
  message: string
  code: string | undefined
  details: readonly ErrorDetail[]
  requestId: string | undefined
  paymentId: string | undefined
  failure: { code: string; message: string } | undefined
  retryAfterMs: number | undefined
}

/** Every error of this package except a TypeError for arguments that cannot be sent. */
export class SwitchyardError extends Error {
  override readonly name: string = 'SwitchyardError'
}

/** The server answered with an error. Each code has a class of its own, so that `instanceof` tells them apart. */
export class ApiError extends SwitchyardError {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** Undefined if the answer did not come from Switchyard but from a proxy in front of it. */
  readonly code: string | undefined
  readonly details: readonly ErrorDetail[]
  /** Quote it to support. */
  readonly requestId: string | undefined
  /** The payment that the error is about, if it exists. */
  readonly paymentId: string | undefined
  /** The last definite refusal of a provider. */
  readonly failure: { code: string; message: string } | undefined
  readonly retryAfterMs: number | undefined

  constructor(init: ApiErrorInit) {
    super(init.message)
    this.status = init.status
    this.code = init.code
    this.details = init.details
    this.requestId = init.requestId
    this.paymentId = init.paymentId
    this.failure = init.failure
    this.retryAfterMs = init.retryAfterMs
  }
}

/** No connection, and the request changed nothing: it was never sent, or it only reads. */
export class ConnectionError extends SwitchyardError {
  override readonly name: string = 'ConnectionError'
}

/**
 * Nobody knows whether the request was carried out. It has not failed: look the resource up, or repeat the call with
 * the same idempotency key, which never does it twice.
 */
export class OutcomeUnknown extends SwitchyardError {
  override readonly name: string = 'OutcomeUnknown'
  /** The key of a POST; other methods can be repeated without one. */
  readonly idempotencyKey: string | undefined

  constructor(message: string, idempotencyKey: string | undefined, cause: unknown) {
    super(message, { cause })
    this.idempotencyKey = idempotencyKey
  }
}
