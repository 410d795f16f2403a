/** What a connector's functions do not show. `docs/connectors.md` tells it, and the contract suite sees it on the wire. */
export interface CapabilityFacts {
  /** What finds a payment there. Absent: our reference. `webhook`: it is asked, and answers by a webhook. */
  lookUp?: 'provider_id' | 'webhook' | 'none'
  /** What makes a repeat harmless. Absent: our reference, which is the payment's name there. `header`: as a header. */
  idempotency?: 'header' | 'none'
}

export interface ProviderFacts {
  /** Present exactly if its connectors verify webhooks. */
  webhooks?: WebhookProof
  /** Absent: there is none that could be told from live. */
  sandbox?: Sandbox
}

/** What proves that a webhook is the provider's. */
export interface WebhookProof {
  scheme:
    | 'HMAC-SHA256'
    | 'HMAC-SHA512'
    | 'RSA-SHA256'
    | 'HTTP message signature'
    | 'JWS ES512'
    | 'secret in a header'
    | 'address that cannot be guessed'
  /** `nothing`: it is only a hint, and the provider is asked. */
  binds: 'body' | 'fields' | 'nothing'
  /** An older one is refused. Absent: its signature has no time, and a replay is known by its dedupe key alone. */
  maxAgeMs?: number
}

/** How the provider's sandbox is told from what moves money: `npm run connector:check` calls nothing else. */
export interface Sandbox {
  hosts: readonly string[]
  /** Where live keys work at these hosts too: a credential, and how it begins in the sandbox. */
  keys?: Readonly<Record<string, readonly string[]>>
  /** An id in the provider's form that it has never given out, where payments are found by such ids alone. */
  unknownId?: string
  /** A word in the answer to a key that the provider does not know, where that is no HTTP 401. */
  unknownKeyWord?: string
}
