import { json } from '../../core/answer.ts'
import type { OpenCall } from '../../core/call.ts'
import type { Route } from '../../protocol.ts'
import type { Books } from './books.ts'
import { decideOnCheckoutPage, showCheckoutPage } from './checkout-page.ts'
import { createIntent } from './create-intent.ts'
import { createCustomer, fundCashBalance } from './customers.ts'
import { disputeRoutes } from './disputes.ts'
import { createIdempotency, idempotencyKeyOf } from './idempotency.ts'
import { accountId } from './ids.ts'
import { cancelIntent, listIntents, searchIntents, showIntent } from './intents.ts'
import { createRefund, listRefunds, showRefund } from './refunds.ts'
import { createSession, expireSession, listSessions, showSession } from './sessions.ts'
import { decideOnAuthenticationPage, showAuthenticationPage } from './three-d-secure-page.ts'

type Once = ReturnType<typeof createIdempotency>

export function createRoutes(books: Books): readonly Route[] {
  const once = createIdempotency(books.kit)
  return [
    ...intentRoutes(books, once),
    ...sessionRoutes(books, once),
    ...refundRoutes(books, once),
    ...disputeRoutes(books.kit, once),
    ...customerRoutes(books, once),
    accountRoute,
    ...pageRoutes(books),
  ]
}

/** Returns the account that the caller's key belongs to. */
const accountRoute: Route = {
  method: 'GET',
  path: '/stripe/v1/account',
  on: 'account',
  handle: ({ account }) => json(200, { id: accountId(account.name), object: 'account', type: 'standard' }),
}

function intentRoutes(books: Books, once: Once): Route[] {
  const reference = (call: OpenCall) => call.params['intent']
  return [
    {
      method: 'POST',
      path: '/stripe/v1/payment_intents',
      on: 'collect',
      reference: idempotencyKeyOf,
      handle: once((call) => createIntent(books, call)),
    },
    {
      method: 'GET',
      path: '/stripe/v1/payment_intents',
      on: 'inquire',
      handle: (call) => listIntents(books, call),
    },
    {
      method: 'GET',
      path: '/stripe/v1/payment_intents/search',
      on: 'inquire',
      handle: (call) => searchIntents(books, call),
    },
    {
      method: 'GET',
      path: '/stripe/v1/payment_intents/:intent',
      on: 'inquire',
      reference,
      handle: (call) => showIntent(books, call),
    },
    {
      method: 'POST',
      path: '/stripe/v1/payment_intents/:intent/cancel',
      on: 'cancel',
      reference,
      handle: once((call) => cancelIntent(books, call)),
    },
  ]
}

function sessionRoutes(books: Books, once: Once): Route[] {
  const reference = (call: OpenCall) => call.params['session']
  return [
    {
      method: 'POST',
      path: '/stripe/v1/checkout/sessions',
      on: 'collect',
      reference: idempotencyKeyOf,
      handle: once((call) => createSession(books, call)),
    },
    {
      method: 'GET',
      path: '/stripe/v1/checkout/sessions',
      on: 'inquire',
      handle: (call) => listSessions(books, call),
    },
    {
      method: 'GET',
      path: '/stripe/v1/checkout/sessions/:session',
      on: 'inquire',
      reference,
      handle: (call) => showSession(books, call),
    },
    {
      method: 'POST',
      path: '/stripe/v1/checkout/sessions/:session/expire',
      on: 'cancel',
      reference,
      handle: once((call) => expireSession(books, call)),
    },
  ]
}

function refundRoutes(books: Books, once: Once): Route[] {
  return [
    {
      method: 'POST',
      path: '/stripe/v1/refunds',
      on: 'refund',
      reference: idempotencyKeyOf,
      handle: once((call) => createRefund(books, call)),
    },
    { method: 'GET', path: '/stripe/v1/refunds', on: 'inquire', handle: (call) => listRefunds(books, call) },
    {
      method: 'GET',
      path: '/stripe/v1/refunds/:refund',
      on: 'inquire',
      reference: (call) => call.params['refund'],
      handle: (call) => showRefund(books, call),
    },
  ]
}

function customerRoutes(books: Books, once: Once): Route[] {
  return [
    {
      method: 'POST',
      path: '/stripe/v1/customers',
      on: 'prepare',
      reference: idempotencyKeyOf,
      handle: once((call) => createCustomer(books, call)),
    },
    {
      method: 'POST',
      path: '/stripe/v1/test_helpers/customers/:customer/fund_cash_balance',
      on: 'account',
      reference: (call) => call.params['customer'],
      handle: once((call) => fundCashBalance(books, call)),
    },
  ]
}

function pageRoutes({ kit }: Books): Route[] {
  return [
    {
      method: 'GET',
      path: '/stripe/checkout/:account/:session',
      on: 'page',
      open: true,
      handle: (call) => showCheckoutPage(kit, call),
    },
    {
      method: 'POST',
      path: '/stripe/checkout/:account/:session',
      on: 'page',
      open: true,
      handle: (call) => decideOnCheckoutPage(kit, call),
    },
    {
      method: 'GET',
      path: '/stripe/3d_secure/:account/:intent',
      on: 'page',
      open: true,
      handle: (call) => showAuthenticationPage(kit, call),
    },
    {
      method: 'POST',
      path: '/stripe/3d_secure/:account/:intent',
      on: 'page',
      open: true,
      handle: (call) => decideOnAuthenticationPage(kit, call),
    },
  ]
}
