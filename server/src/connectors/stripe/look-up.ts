import type { Clock } from '../../lib/clock.ts'
import type { Attempt, Inquiry } from '../kit/connector.ts'
import type { Form } from '../kit/form-body.ts'
import { pageSchema } from './answers.ts'
import type { StripeClient } from './client.ts'
import { acceptedFor, inquiryOf, readAbout, referenceKey, see, type Seen } from './mapping.ts'

export interface Deps {
  client: StripeClient
  clock: Clock
}

const pageSize = 100
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
export async function lookUpById(deps: Deps, id: string, reference: string): Promise<Inquiry> {
  const query = isSessionId(id) ? { 'expand[0]': 'payment_intent' } : {}
  return inquiryOf(await deps.client(pathOf(id), { query }), readAbout(reference, deps.clock.now()))
}

export interface Page {
  items: Seen[]
  hasMore: boolean
}

export async function listPage({ client, clock }: Deps, path: string, query: Form): Promise<Page | Inquiry> {
  const reply = await client(path, { query: { ...query, limit: pageSize } })
  const page = reply.kind === 'handled' ? pageSchema.safeParse(reply.data).data : undefined
  if (!page) return inquiryOf(reply, () => undefined)
  return { items: page.data.map((object) => see(object, clock.now())), hasMore: page.has_more }
}

/**
 * Lists are complete at once, search is not [D]. So a list may say "not found"; search, which is only asked
 * where there are too many to list, may say "found" and never "not found".
 */
export async function lookUpByReference(deps: Deps, attempt: Attempt): Promise<Inquiry> {
  const { reference, createdAt, method } = attempt
  const created = {
    'created[gte]': Math.floor((createdAt.getTime() - windowBeforeMs) / 1_000),
    'created[lte]': Math.ceil((createdAt.getTime() + windowAfterMs) / 1_000),
  }
  const listed = await findListed(deps, reference, '/v1/payment_intents', created)
  const intent = listed === tooMany ? await searchIntents(deps, reference) : listed
  if (intent.kind === 'accepted' || method !== 'card') return intent
  // A session that is found can still be paid, though nobody has seen the address of its page yet.
  const query = { ...created, 'expand[0]': 'data.payment_intent' }
  const session = await findListed(deps, reference, '/v1/checkout/sessions', query)
  return session.kind === 'accepted' || intent.kind === 'not_found' ? session : intent
}

async function searchIntents(deps: Deps, reference: string): Promise<Inquiry> {
  const query = { query: `metadata['${referenceKey}']:'${reference}'` }
  const page = await listPage(deps, '/v1/payment_intents/search', query)
  return ('items' in page && findIn(page, reference)) || tooMany
}

const tooMany: Inquiry = { kind: 'unknown', reason: 'too many to list' }

/** The first object with our reference. */
export async function findListed(deps: Deps, reference: string, path: string, query: Form): Promise<Inquiry> {
  let after: string | undefined
  for (let count = 0; count < pagesLimit; count += 1) {
    const page = await listPage(deps, path, { ...query, starting_after: after })
    if (!('items' in page)) return page
    const found = findIn(page, reference)
    if (found) return found
    if (!page.hasMore) return { kind: 'not_found' }
    after = page.items.at(-1)?.providerRef
  }
  return tooMany
}

/** An intent behind a checkout page is not one: its session counts. */
function findIn({ items }: Page, reference: string): Inquiry | undefined {
  const isOurs = ({ kind, isHosted }: Seen) => !(kind === 'payment_intent' && isHosted)
  const found = items.find((item) => item.reference === reference && isOurs(item))
  return found && acceptedFor(reference, found)
}
