import type { Attempt, Inquiry } from '../kit/connector.ts'
import { reasonOf, type Form, type StripeClient } from './client.ts'
import { acceptedOf, referenceKey, type Seen } from './mapping.ts'

export const pageSize = 100
const pagesLimit = 5
/** Clocks differ, and a request may wait on its way; what it made was made within this time. */
const windowBeforeMs = 600_000
const windowAfterMs = 3_600_000

export const isSessionId = (id: string): boolean => id.startsWith('cs_')
export const pathOf = (id: string): string => {
  const kind = isSessionId(id) ? 'checkout/sessions' : id.startsWith('re_') ? 'refunds' : 'payment_intents'
  return `/v1/${kind}/${encodeURIComponent(id)}`
}

/** An id that Stripe once gave and now does not know means another account's key, not that nothing was sent. */
export async function lookUpById(client: StripeClient, id: string): Promise<Inquiry> {
  const answer = await client.get(pathOf(id), isSessionId(id) ? { 'expand[0]': 'payment_intent' } : {})
  return answer.kind === 'ok' ? acceptedOf(answer.body) : { kind: 'unknown', reason: reasonOf(answer) }
}

/**
 * Lists are complete at once, search is not [D]. So a list may say "not found"; search, which is only asked
 * where there are too many to list, may say "found" and never "not found".
 */
export async function lookUpByReference(client: StripeClient, attempt: Attempt): Promise<Inquiry> {
  const { reference, createdAt, method } = attempt
  const created = {
    'created[gte]': Math.floor((createdAt.getTime() - windowBeforeMs) / 1_000),
    'created[lte]': Math.ceil((createdAt.getTime() + windowAfterMs) / 1_000),
  }
  const isOurIntent = (item: Seen) => item.reference === reference && !item.isHosted
  const intent = await findListed(client, {
    path: '/v1/payment_intents',
    query: created,
    isOurs: isOurIntent,
  })
  if (intent === 'too_many') {
    const terms = { query: `metadata['${referenceKey}']:'${reference}'` }
    const searched = await client.list('/v1/payment_intents/search', terms)
    const found = searched.kind === 'ok' ? searched.body.items.find(isOurIntent) : undefined
    return found ? acceptedOf(found) : tooMany
  }
  if (intent.kind !== 'not_found' || method !== 'card') return intent
  // A session that is found can still be paid, though nobody has seen the address of its page yet.
  const query = { ...created, 'expand[0]': 'data.payment_intent' }
  const isOurs = (item: Seen) => item.reference === reference
  const session = await findListed(client, { path: '/v1/checkout/sessions', query, isOurs })
  return session === 'too_many' ? tooMany : session
}

const tooMany: Inquiry = { kind: 'unknown', reason: 'too many payments to list' }

export interface ListSearch {
  path: string
  query: Form
  isOurs: (item: Seen) => boolean
}

export async function findListed(client: StripeClient, search: ListSearch): Promise<Inquiry | 'too_many'> {
  const { path, query, isOurs } = search
  let after: string | undefined
  for (let page = 0; page < pagesLimit; page += 1) {
    const answer = await client.list(path, { ...query, limit: pageSize, starting_after: after })
    if (answer.kind !== 'ok') return { kind: 'unknown', reason: reasonOf(answer) }
    const { items, hasMore } = answer.body
    const found = items.find(isOurs)
    if (found) return acceptedOf(found)
    if (!hasMore) return { kind: 'not_found' }
    after = items.at(-1)?.id
  }
  return 'too_many'
}
