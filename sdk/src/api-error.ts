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

/** The base class of the SDK's errors. Only invalid arguments throw a TypeError instead. */
export class SwitchyardError extends Error {
  override readonly name: string = 'SwitchyardError'
}

/** The server responded with an error. Each code has its own class, so `instanceof` distinguishes them. */
export class ApiError extends SwitchyardError {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** Undefined if the response came from a proxy in front of Switchyard. */
  readonly code: string | undefined
  readonly details: readonly ErrorDetail[]
  /** Include this id when you contact support. */
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

/** The connection failed and nothing changed: the request was never sent, or it only reads. */
export class ConnectionError extends SwitchyardError {
  override readonly name: string = 'ConnectionError'
}

/**
 * It is not known whether the request was carried out. It may have succeeded: look the resource up, or repeat the call
 * with the same idempotency key, which never carries it out twice.
 */
export class OutcomeUnknown extends SwitchyardError {
  override readonly name: string = 'OutcomeUnknown'
  /** The idempotency key of a POST; other methods can be repeated without one. */
  readonly idempotencyKey: string | undefined

  constructor(message: string, idempotencyKey: string | undefined, cause: unknown) {
    super(message, { cause })
    this.idempotencyKey = idempotencyKey
  }
}
