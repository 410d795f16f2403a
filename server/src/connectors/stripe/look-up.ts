import type { Attempt, Inquiry } from '../kit/connector.ts'
import { reasonOf, type Form, type StripeClient } from './client.ts'
import { acceptedFor, referenceKey, type Seen } from './mapping.ts'

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
export async function lookUpById(client: StripeClient, id: string, reference: string): Promise<Inquiry> {
  const answer = await client.get(pathOf(id), isSessionId(id) ? { 'expand[0]': 'payment_intent' } : {})
  if (answer.kind !== 'ok') return { kind: 'unknown', reason: reasonOf(answer) }
  return acceptedFor(reference, answer.body)
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
  const listed = await findListed(client, reference, '/v1/payment_intents', created)
  const intent = listed === 'too_many' ? await searchIntents(client, reference) : listed
  if (intent.kind === 'accepted' || method !== 'card') return intent
  // A session that is found can still be paid, though nobody has seen the address of its page yet.
  const query = { ...created, 'expand[0]': 'data.payment_intent' }
  const found = await findListed(client, reference, '/v1/checkout/sessions', query)
  const session = found === 'too_many' ? tooMany : found
  return session.kind === 'accepted' || intent.kind === 'not_found' ? session : intent
}

async function searchIntents(client: StripeClient, reference: string): Promise<Inquiry> {
  const terms = { query: `metadata['${referenceKey}']:'${reference}'` }
  const answer = await client.list('/v1/payment_intents/search', terms)
  const items = answer.kind === 'ok' ? answer.body.items : []
  const found = items.find((item) => isAbout(reference, item))
  return found ? acceptedFor(reference, found) : tooMany
}

const tooMany: Inquiry = { kind: 'unknown', reason: 'too many payments to list' }

/** The first object with our reference. An intent behind a checkout page is not one: its session counts. */
export async function findListed(
  client: StripeClient,
  reference: string,
  path: string,
  query: Form,
): Promise<Inquiry | 'too_many'> {
  let after: string | undefined
  for (let page = 0; page < pagesLimit; page += 1) {
    const answer = await client.list(path, { ...query, limit: pageSize, starting_after: after })
    if (answer.kind !== 'ok') return { kind: 'unknown', reason: reasonOf(answer) }
    const { items, hasMore } = answer.body
    const found = items.find((item) => isAbout(reference, item))
    if (found) return acceptedFor(reference, found)
    if (!hasMore) return { kind: 'not_found' }
    after = items.at(-1)?.providerRef
  }
  return 'too_many'
}

const isAbout = (reference: string, item: Seen): boolean =>
  item.reference === reference && !(item.kind === 'payment_intent' && item.isHosted)
