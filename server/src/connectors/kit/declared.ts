/** Facts that the functions do not show. They appear in docs/connectors.md, and the contract suite verifies them. */
export interface CapabilityFacts {
  /** What finds a payment at the provider. Absent: our reference. `webhook`: the answer to an inquiry is a webhook. */
  lookUp?: 'provider_id' | 'webhook' | 'none'
  /** What makes a request idempotent. Absent: our reference in the body. `header`: our reference in a header. */
  idempotency?: 'header' | 'none'
}

export interface ProviderFacts<Proves extends WebhookProves = WebhookProves> {
  /** Present if and only if the connector verifies webhooks. */
  webhooks?: WebhookProof<Proves>
  /** Absent: the provider has no sandbox that can be distinguished from live. */
  sandbox?: Sandbox
}

/**
 * What a genuine webhook proves. `account`: only this account's messages are signed so, and what they say is applied.
 * `provider`: the provider signs for all of its merchants with the same key, so the message may be about a payment of
 * another one. `answer`: the answer to an inquiry of ours counts, and nothing else. `nothing`: the body is not signed.
 * Whatever is not applied only triggers an inquiry.
 */
export type WebhookProves = 'account' | 'provider' | 'answer' | 'nothing'

/** Only a verified message is applied; a connector can call one verified only if it declares what that proves. */
export type WebhookVerdict<Proves extends WebhookProves = WebhookProves> =
  | (Proves extends 'account' ? { kind: 'verified'; isAnswer?: undefined } : never)
  /** The message answers an inquiry of ours, so it is worth as much as the answer to a call. */
  | (Proves extends 'answer' ? { kind: 'verified'; isAnswer: true } : never)
  /** The provider signed it, but perhaps for another merchant, so it only triggers an inquiry. */
  | (Proves extends 'provider' ? { kind: 'provider' } : never)
  /** Nobody signed the body, so it only triggers an inquiry. */
  | { kind: 'unsigned' }
  | { kind: 'forged'; reason: string }

/** How a webhook proves that it comes from the provider. */
export interface WebhookProof<Proves extends WebhookProves = WebhookProves> {
  proves: Proves
  scheme:
    | 'HMAC-SHA256'
    | 'HMAC-SHA512'
    | 'RSA-SHA256'
    | 'HTTP message signature'
    | 'JWS ES512'
    | 'secret in a header'
    | 'address that cannot be guessed'
  /** What of the message the signature covers. */
  binds: 'body' | 'fields' | 'nothing'
  /** Older webhooks are refused. Absent: the signature has no time, and only the dedupe key detects a replay. */
  maxAgeMs?: number
}

/** How to recognize the provider's sandbox: `npm run connector:check` calls nothing else. */
export interface Sandbox {
  hosts: readonly string[]
  /** If live keys work at the same hosts: a credential, and its possible prefixes in the sandbox. */
  keys?: Readonly<Record<string, readonly string[]>>
  /** A well-formed id that the provider has never issued, if payments are found only by the provider's ids. */
  unknownId?: string
  /** A word in the answer to an unknown key, if that answer is not HTTP 401. */
  unknownKeyWord?: string
}
