import type { Account } from '../../core/accounts.ts'
import type { Answer } from '../../core/answer.ts'
import type { OpenCall } from '../../core/call.ts'
import type { Kit, Protocol, Route } from '../../protocol.ts'
import { accountRoutes } from './accounts.ts'
import { disputeRoutes, disputes } from './disputes.ts'
import { signBody, signWebhook, webhooksFor } from './events.ts'
import { createLink, showLink } from './links.ts'
import { authenticationPage, linkPage } from './pages.ts'
import { createPayment, submitDetails } from './payments.ts'
import { createRefund, dashboardRefund, isChargedBack } from './refunds.ts'
import { sandbox } from './sandbox.ts'
import { createTransfer, listTransfers, showTransfer } from './transfers.ts'
import { idempotencyKeyOf, problem, RATE_LIMITED, refused, SERVER_ERROR } from './wire.ts'

const BALANCE_PLATFORM = ['/adyen/btl/', '/adyen/bcl/']

/** Checkout v72 (cards, 3D Secure, payment links, refunds), Disputes v30, Transfers v4 and business accounts v2. */
export const adyen: Protocol = {
  name: 'adyen',
  sandbox,
  create: (kit) => ({
    routes: [
      ...checkoutRoutes(kit),
      ...disputeRoutes(kit),
      ...transferRoutes(kit),
      ...accountRoutes(kit),
      ...pageRoutes(kit),
    ],
    serverError: SERVER_ERROR,
    rateLimited: RATE_LIMITED,
    authenticate,
    webhooksFor,
    dashboardRefund,
    refusesRefund: (charge) => isChargedBack(kit, charge),
    signBody,
    signWebhook,
    disputes,
  }),
}

/** The two platforms have separate keys. */
function authenticate(call: OpenCall, accounts: readonly Account[]): Account | Answer {
  const isTransfers = BALANCE_PLATFORM.some((prefix) => call.path.startsWith(prefix))
  const name = isTransfers ? 'transfers_api_key' : 'api_key'
  const account = accounts.find(({ secrets }) => secrets[name] === call.header('x-api-key'))
  if (account) return account
  return isTransfers ? problem(401, '00_401', 'Unauthorized') : refused(401, '000', 'Unauthorized')
}

function checkoutRoutes(kit: Kit): Route[] {
  const reference = idempotencyKeyOf
  return [
    {
      method: 'POST',
      path: '/adyen/v72/payments',
      on: 'collect',
      reference,
      handle: (call) => createPayment(kit, call),
    },
    {
      method: 'POST',
      path: '/adyen/v72/payments/details',
      on: 'act',
      handle: (call) => submitDetails(kit, call),
    },
    {
      method: 'POST',
      path: '/adyen/v72/payments/:pspReference/refunds',
      on: 'refund',
      reference,
      handle: (call) => createRefund(kit, call),
    },
    {
      method: 'POST',
      path: '/adyen/v72/paymentLinks',
      on: 'collect',
      reference,
      handle: (call) => createLink(kit, call),
    },
    {
      method: 'GET',
      path: '/adyen/v72/paymentLinks/:linkId',
      on: 'inquire',
      handle: (call) => showLink(kit, call),
    },
  ]
}

function transferRoutes(kit: Kit): Route[] {
  return [
    {
      method: 'POST',
      path: '/adyen/btl/v4/transfers',
      on: 'payout',
      reference: idempotencyKeyOf,
      handle: (call) => createTransfer(kit, call),
    },
    {
      method: 'GET',
      path: '/adyen/btl/v4/transfers',
      on: 'inquire',
      handle: (call) => listTransfers(kit, call),
    },
    {
      method: 'GET',
      path: '/adyen/btl/v4/transfers/:id',
      on: 'inquire',
      handle: (call) => showTransfer(kit, call),
    },
  ]
}

function pageRoutes(kit: Kit): Route[] {
  return (['GET', 'POST'] as const).flatMap((method): Route[] => [
    {
      method,
      path: '/adyen/3ds/:account/:pspReference',
      on: 'page',
      open: true,
      handle: (call) => authenticationPage(kit, call),
    },
    {
      method,
      path: '/adyen/pay/:account/:linkId',
      on: 'page',
      open: true,
      handle: (call) => linkPage(kit, call),
    },
  ])
}
