/** Facts that the functions do not show. They appear in docs/connectors.md, and the contract suite verifies them. */
export interface CapabilityFacts {
  /** What finds a payment at the provider. Absent: our reference. `webhook`: the answer to an inquiry is a webhook. */
  lookUp?: 'provider_id' | 'webhook' | 'none'
  /** What makes a request idempotent. Absent: our reference in the body. `header`: our reference in a header. */
  idempotency?: 'header' | 'none'
}

export interface ProviderFacts {
  /** Present if and only if the connector verifies webhooks. */
  webhooks?: WebhookProof
  /** Absent: the provider has no sandbox that can be distinguished from live. */
  sandbox?: Sandbox
}

/** How a webhook proves that it comes from the provider. */
export interface WebhookProof {
  scheme:
    | 'HMAC-SHA256'
    | 'HMAC-SHA512'
    | 'RSA-SHA256'
    | 'HTTP message signature'
    | 'JWS ES512'
    | 'secret in a header'
    | 'address that cannot be guessed'
  /** `nothing`: the webhook only triggers an inquiry. */
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
