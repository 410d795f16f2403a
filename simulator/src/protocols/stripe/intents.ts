import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import type { Transaction } from '../../core/transaction.ts'
import { intentsOf, storeKey, type Books } from './books.ts'
import { paymentDetailsOf } from './details.ts'
import { errorAnswer, invalidRequest, noSuch } from './errors.ts'
import { findPayment, intentId, isSession, suffixOf } from './ids.ts'
import { listPage } from './listing.ts'
import { cancelParameters, parseParameters } from './parameters.ts'
import { intentStatusOf, presentIntent } from './present.ts'

const DEFAULT_SEARCH_DELAY_MS = 60_000

export function showIntent(books: Books, call: Call): Answer {
  const id = call.params['intent'] ?? ''
  const transaction = findIntent(books, call)
  return transaction === undefined
    ? noSuch('payment_intent', id)
    : json(200, presentIntent(books.kit, transaction))
}

export function listIntents(books: Books, call: Call): Answer {
  return listPage(call, {
    transactions: intentsOf(books, call.account.name),
    present: (transaction) => presentIntent(books.kit, transaction),
    filters: ['customer'],
    matches: (transaction, { customer }) =>
      customer === undefined || paymentDetailsOf(transaction).customer === customer,
  })
}

/** Searches by metadata only. The index lags by the account's `search_delay_ms`, as Stripe documents. */
export function searchIntents(books: Books, call: Call): Answer {
  const terms = readQuery(call.query['query'] ?? '')
  if (terms === undefined) return invalidRequest('parameter_invalid', 'The query cannot be read.', 'query')
  const delayMs = Number(call.account.options['search_delay_ms'] ?? DEFAULT_SEARCH_DELAY_MS)
  const indexedUntilMs = books.kit.clock.now().getTime() - delayMs
  const data = intentsOf(books, call.account.name)
    .filter(({ updatedAt }) => Date.parse(updatedAt) <= indexedUntilMs)
    .filter((transaction) => {
      const { metadata } = paymentDetailsOf(transaction)
      return terms.every(([name, value]) => metadata[name] === value)
    })
    .map((transaction) => presentIntent(books.kit, transaction))
  const url = '/v1/payment_intents/search'
  return json(200, { object: 'search_result', url, has_more: false, data, next_page: null })
}

export async function cancelIntent(books: Books, call: Call): Promise<Answer> {
  const parsed = parseParameters(cancelParameters, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { kit, declined } = books
  const transaction = findIntent(books, call)
  if (transaction === undefined) return noSuch('payment_intent', call.params['intent'] ?? '')
  if (isSession(transaction)) {
    return invalidRequest(
      'payment_intent_unexpected_state',
      'You cannot cancel the PaymentIntent for a Checkout Session. Expire the Checkout Session instead.',
    )
  }
  const status = intentStatusOf(transaction)
  if (status !== 'requires_action' && status !== 'requires_payment_method') {
    return errorAnswer(400, {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      message: `You cannot cancel this PaymentIntent because it has a status of ${status}.`,
      payment_intent: presentIntent(kit, transaction),
    })
  }
  const key = storeKey(transaction.account, transaction.providerRef)
  if (declined.get(key) === undefined) {
    return json(200, presentIntent(kit, await kit.move(transaction, { state: 'canceled' })))
  }
  const canceled: Transaction = {
    ...transaction,
    state: 'canceled',
    updatedAt: kit.clock.now().toISOString(),
  }
  declined.put(key, canceled)
  await kit.resendWebhooks(canceled)
  return json(200, presentIntent(kit, canceled))
}

function findIntent({ kit, declined }: Books, call: Call): Transaction | undefined {
  const account = call.account.name
  const id = intentId(suffixOf(call.params['intent'] ?? ''))
  return findPayment(kit, account, id) ?? declined.get(storeKey(account, id))
}

function readQuery(query: string): [name: string, value: string][] | undefined {
  const terms = query.split(/\sAND\s/).map((term) => /^metadata\['([^']+)'\]:'([^']*)'$/.exec(term.trim()))
  const read = terms.flatMap((match): [string, string][] =>
    match === null ? [] : [[match[1] ?? '', match[2] ?? '']],
  )
  return read.length === terms.length ? read : undefined
}
