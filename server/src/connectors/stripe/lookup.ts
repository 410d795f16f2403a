import type { Attempt, Inquiry, Method } from '../kit/connector.ts'
import { withQuery, type Form } from '../kit/form-body.ts'
import type { ProviderRefund } from '../kit/refunds.ts'
import { handledOf, readData } from '../kit/replies.ts'
import { pageSchema } from './answers.ts'
import type { Deps } from './client.ts'
import { acceptedFor, inquiryOf, readAbout, referenceKey, readObject } from './mapping.ts'

export const intents = '/v1/payment_intents'
export const refunds = '/v1/refunds'
export const sessions = '/v1/checkout/sessions'
const pageSize = 100
/** Clocks differ and requests may be delayed; almost every payment is created within this time. */
const windowMs = { before: 60_000, after: 240_000 }

export const isSessionId = (id: string): boolean => id.startsWith('cs_')
export const pathOf = (id: string): string => {
  const list = isSessionId(id) ? sessions : id.startsWith('re_') ? refunds : intents
  return `${list}/${encodeURIComponent(id)}`
}

/** If Stripe does not know an id that it issued, the key belongs to another account; it does not prove "not found". */
export async function byId({ client, clock }: Deps, id: string, reference: string): Promise<Inquiry> {
  const query = isSessionId(id) ? { 'expand[0]': 'payment_intent' } : {}
  return inquiryOf(await client(withQuery(pathOf(id), query)), readAbout(reference, clock.now()))
}

/**
 * Search takes one request and covers all times, but is delayed; lists are complete at once, but take a request for each
 * hundred payments. So search comes first. The list covers the time of the attempt, and is read only if search does not
 * find it: "not found" needs both, and is never returned if there are too many payments to list.
 */
export async function byReference(deps: Deps, attempt: Attempt): Promise<Inquiry> {
  const { reference, createdAt, method } = attempt
  const searched = await searchIntents(deps, reference)
  if (searched.kind === 'accepted') return searched
  const created = {
    'created[gte]': Math.floor((createdAt.getTime() - windowMs.before) / 1_000),
    'created[lte]': Math.ceil((createdAt.getTime() + windowMs.after) / 1_000),
  }
  const listed = await findListed(deps, reference, intents, created)
  const intent = listed.kind === 'accepted' || searched.kind === 'not_found' ? listed : searched
  if (intent.kind === 'accepted' || method !== 'card') return intent
  // A session that is found can still be paid, although its URL was never returned.
  const query = { ...created, 'expand[0]': 'data.payment_intent' }
  const session = await findListed(deps, reference, sessions, query)
  return session.kind === 'accepted' || intent.kind === 'not_found' ? session : intent
}

/** A reference names one intent, so its first page is the only one. Stripe has no search of sessions. */
async function searchIntents(deps: Deps, reference: string): Promise<Inquiry> {
  const query = { query: `metadata['${referenceKey}']:'${reference}'` }
  return findOnPage(deps, reference, await listPage(deps, `${intents}/search`, query)).inquiry
}

const tooMany: Inquiry = { kind: 'unknown', reason: 'too many to list' }

/** Finds the first object with our reference. */
export async function findListed(deps: Deps, reference: string, path: string, query: Form): Promise<Inquiry> {
  let after: string | undefined
  for (let count = 0; count < deps.credentials.lookUpPages && deps.budget.take(); count += 1) {
    const reply = await listPage(deps, path, { ...query, starting_after: after })
    const { inquiry, next } = findOnPage(deps, reference, reply)
    if (next === undefined) return inquiry
    after = next
  }
  return tooMany
}

/** `next`: the object is not on this page, and another page begins after this id. */
function findOnPage(
  { clock }: Deps,
  reference: string,
  reply: Awaited<ReturnType<typeof listPage>>,
): { inquiry: Inquiry; next?: string | undefined } {
  const page = readData(reply, pageSchema)
  if (!page) return { inquiry: inquiryOf(reply, () => undefined) }
  const at = clock.now()
  const [found] = page.data.flatMap((object) => acceptedFor(reference, readObject(object, at)) ?? [])
  if (found) return { inquiry: found }
  return { inquiry: { kind: 'not_found' }, next: page.has_more ? page.data.at(-1)?.id : undefined }
}

const listPage = ({ client }: Deps, path: string, query: Form) =>
  client(withQuery(path, { ...query, limit: pageSize }))

const firstSessions = 'sessions'

/** All intents, then the sessions without one. A cursor is the last id of the previous page. */
export const listTransactions =
  (deps: Deps): Method<'listTransactions'> =>
  async (since, cursor) => {
    const isSessions = cursor === firstSessions || (cursor !== null && isSessionId(cursor))
    const reply = await listPage(deps, isSessions ? sessions : intents, {
      'created[gte]': Math.floor(since.getTime() / 1_000),
      starting_after: cursor === null || cursor === firstSessions ? undefined : cursor,
    })
    const page = pageSchema.parse(handledOf(reply, 'Stripe').data)
    const transactions = page.data.flatMap((object) => {
      const { amount, intentId, reference, createdAt, ...seen } = readObject(object, deps.clock.now())
      const { providerRef, providerStatus, state } = seen
      const row = { reference, providerRef, direction: 'payin', providerStatus, state, createdAt } as const
      return amount === undefined || intentId !== undefined ? [] : [{ ...row, amount }]
    })
    const lastId = page.has_more ? page.data.at(-1)?.id : undefined
    return { transactions, nextCursor: lastId ?? (isSessions ? null : firstSessions) }
  }

/** Every refund of the intent, or of the account since then, whoever made it. Undefined: there are too many. */
export async function listRefunds(deps: Deps, query: Form): Promise<ProviderRefund[] | undefined> {
  const found: ProviderRefund[] = []
  let after: string | undefined
  for (let count = 0; count < deps.credentials.lookUpPages; count += 1) {
    const page = readData(await listPage(deps, refunds, { ...query, starting_after: after }), pageSchema)
    if (!page) return undefined
    for (const object of page.data) {
      if (object.object !== 'refund') continue
      const { providerRef, reference, providerStatus, state, amount } = readObject(object, deps.clock.now())
      const refundOf = { reference: null, providerRef: object.payment_intent ?? null }
      if (amount) found.push({ providerRef, reference, refundOf, amount, providerStatus, state })
    }
    if (!page.has_more) return found
    after = page.data.at(-1)?.id
  }
  return undefined
}
