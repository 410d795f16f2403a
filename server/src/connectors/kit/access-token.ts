import { createHash } from 'node:crypto'
import { boundedMap } from '../../lib/flow/bounded-cache.ts'

const accountsLimit = 1_000
const marginMs = 60_000

export interface AccessToken {
  kind: 'token'
  value: string
  lifetimeMs: number
}

interface TokenRequest<Failed> {
  /** Address and credentials that the token belongs to. Only their hash is stored. */
  account: readonly string[]
  nowMs: number
  fetch: () => Promise<AccessToken | Failed>
  /** A token that the provider has just rejected. */
  refused?: string | undefined
}

/** One cache for the process, because connectors live for seconds and tokens for an hour. It is single-flight. */
export function createTokenCache<Failed extends { kind: string }>() {
  const tokens = boundedMap<string, { answer: Promise<AccessToken | Failed>; askedAtMs: number }>(
    accountsLimit,
  )
  return async ({ account, nowMs, fetch, refused }: TokenRequest<Failed>): Promise<AccessToken | Failed> => {
    const key = createHash('sha256').update(account.join('\n')).digest('hex')
    const known = tokens.get(key)
    const token = await known?.answer
    const isToken = known && token?.kind === 'token' && 'lifetimeMs' in token && token.value !== refused
    if (isToken && known.askedAtMs + token.lifetimeMs - marginMs > nowMs) return token
    // Another call may have started a request during the lookup.
    const latest = tokens.get(key)
    const entry = latest && latest !== known ? latest : { answer: fetch(), askedAtMs: nowMs }
    tokens.set(key, entry)
    const answer = await entry.answer
    if (answer.kind !== 'token') tokens.delete(key)
    return answer
  }
}
